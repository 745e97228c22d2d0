"""Relations: queries with methods."""

from __future__ import annotations

import re
import secrets
from typing import Any

from . import _nodes as n
from ._box import Box
from ._errors import (BinderException, CatalogException, Error,
                      InvalidInputException, fail, lacks)
from ._result import Fetches, Result
from ._run import Runner
from ._select import Bound, bind_query
from ._source import RelationSource
from ._statements import Statements, parse
from ._types import for_description, for_python

_LIMIT = 10_000


class DuckDBPyRelation(Fetches):
    def __init__(self, connection: Any, bound: Bound, keep: list,
                 alias: str = "") -> None:
        self._connection, self._bound, self._keep = connection, bound, keep
        self.alias = alias or f"unnamed_relation_{secrets.token_hex(8)}"
        self._result: Result | None = None

    # -- results

    def _rows(self, tail: str = "") -> list:
        return self._connection._engine.rows(
            f"SELECT * FROM ({self._bound.sql}){tail}" if tail
            else self._bound.sql)

    def execute(self) -> DuckDBPyRelation:
        self._result = Result(self._bound.names, self._bound.types,
                              self._rows())
        return self

    def _open(self) -> Result:
        if self._result is None:
            self.execute()
        assert self._result is not None
        return self._result

    def _whole(self) -> Result:
        """The result from its first row on; the next call begins anew."""
        made, self._result = self._open(), None
        return made

    def fetchall(self) -> list:
        return self._whole().tuples()

    def fetchdf(self, *, date_as_object: bool = False) -> Any:
        return self._whole().frame(date_as_object)

    df = to_df = fetchdf

    def fetchnumpy(self) -> dict:
        return self._whole().arrays()

    def close(self) -> None:
        self._result = None

    # -- facts

    @property
    def columns(self) -> list:
        return list(self._bound.names)

    @property
    def types(self) -> list:
        return [for_python(kind) for kind in self._bound.types]

    dtypes = types

    @property
    def description(self) -> list:
        return [(name, for_description(kind), None, None, None, None, None)
                for name, kind in zip(self._bound.names, self._bound.types)]

    @property
    def shape(self) -> tuple:
        return len(self), len(self._bound.names)

    @property
    def type(self) -> str:
        return "SUBQUERY_RELATION"

    def __len__(self) -> int:
        return self._connection._engine.rows(
            f"SELECT count(*) FROM ({self._bound.sql})")[0][0]

    def __contains__(self, name: str) -> bool:
        return name in self._bound.names

    # -- printing

    def _box(self, **options: Any) -> str:
        rows = self._rows(f" LIMIT {_LIMIT}")
        return Box(self._bound.names, self._bound.types, rows,
                   limited=len(rows) == _LIMIT, **options).text()

    def __repr__(self) -> str:
        return self._box()

    __str__ = __repr__

    def show(self, *, max_width: Any = None, max_rows: Any = None,
             max_col_width: Any = None, null_value: str = "NULL",
             render_mode: Any = None) -> None:
        if render_mode is not None:
            lacks("show(render_mode=...)")
        print(self._box(max_width=max_width, max_rows=max_rows,
                        max_col_width=max_col_width, null=null_value))

    # -- other relations

    def _derived(self, tail: str, items: str = "*") -> DuckDBPyRelation:
        """SELECT items FROM this, and what follows."""
        self._connection._look()
        node = self._parsed(f"SELECT {items} FROM relation {tail}")
        node = node._replace(body=node.body._replace(
            source=RelationSource(self._bound, self.alias)))
        return self._make(node)

    @staticmethod
    def _parsed(sql: str) -> Any:
        parser = Statements(sql)
        node = parser.query()
        if parser.here.kind != "end":
            parser.wrong()
        return node if isinstance(node, n.Query) else n.Query(node)

    def _make(self, node: Any, more: Any = ()) -> DuckDBPyRelation:
        runner = Runner(self._connection._engine)
        bound = bind_query(runner.binder, node, None)
        return DuckDBPyRelation(self._connection, bound, [
            self, *more, *runner.binder.scans], self.alias)

    def filter(self, filter_expr: str) -> DuckDBPyRelation:
        _text(filter_expr, "filter")
        return self._derived(f"WHERE {filter_expr}")

    def project(self, *args: str, groups: str = "") -> DuckDBPyRelation:
        if groups:
            lacks("project(groups=...)")
        for one in args:
            _text(one, "project")
        return self._derived("", ", ".join(args))

    select = project

    def aggregate(self, aggr_expr: str,
                  group_expr: str = "") -> DuckDBPyRelation:
        if isinstance(aggr_expr, (list, tuple)):
            aggr_expr = ", ".join(aggr_expr)
        _text(aggr_expr, "aggregate")
        return self._derived(f"GROUP BY {group_expr or 'ALL'}", aggr_expr)

    def order(self, order_expr: str) -> DuckDBPyRelation:
        return self._derived(f"ORDER BY {order_expr}")

    def sort(self, *args: str) -> DuckDBPyRelation:
        for one in args:
            _text(one, "sort")
        return self._derived("ORDER BY " + ", ".join(args))

    def limit(self, n: int, offset: int = 0) -> DuckDBPyRelation:
        return self._derived(f"LIMIT {int(n)} OFFSET {int(offset)}")

    def distinct(self) -> DuckDBPyRelation:
        return self._derived("", "DISTINCT *")

    unique_rows = distinct

    def unique(self, unique_aggr: str) -> DuckDBPyRelation:
        return self._derived("", f"DISTINCT {unique_aggr}")

    def set_alias(self, alias: str) -> DuckDBPyRelation:
        return DuckDBPyRelation(self._connection, self._bound, [self], alias)

    def join(self, other_rel: Any, condition: str,
             how: str = "inner") -> DuckDBPyRelation:
        kinds = {"inner": "INNER", "left": "LEFT", "right": "RIGHT",
                 "outer": "FULL", "semi": "SEMI", "anti": "ANTI"}
        if how.lower() not in kinds:
            fail(InvalidInputException, f"Unsupported join type {how}, try "
                 "'inner', 'left', 'right', 'outer', 'semi' or 'anti'")
        if self.alias == other_rel.alias:
            fail(InvalidInputException, "Both relations have the same alias, "
                 "please change the alias of one or both relations using "
                 "'rel = rel.set_alias(<new alias>)'")
        names = re.fullmatch(r"\s*\w+\s*(,\s*\w+\s*)*", condition)
        using = tuple(one.strip() for one in condition.split(",")) \
            if names else ()
        on = None if using else self._parsed(
            f"SELECT {condition}").body.items[0].expr
        source = n.Join(kinds[how.lower()],
                        RelationSource(self._bound, self.alias),
                        RelationSource(other_rel._bound, other_rel.alias),
                        on, using)
        return self._make(n.Query(n.Select((n.Named(n.Star()),), source)),
                          [other_rel])

    def cross(self, other_rel: Any) -> DuckDBPyRelation:
        source = n.Join("CROSS", RelationSource(self._bound, self.alias),
                        RelationSource(other_rel._bound, other_rel.alias))
        return self._make(n.Query(n.Select((n.Named(n.Star()),), source)),
                          [other_rel])

    def _set(self, other: Any, op: str, every: bool) -> DuckDBPyRelation:
        sides = [n.Select((n.Named(n.Star()),),
                          RelationSource(one._bound, one.alias))
                 for one in (self, other)]
        return self._make(n.Query(n.SetOp(op, every, False, *sides)),
                          [other])

    def union(self, union_rel: Any) -> DuckDBPyRelation:
        return self._set(union_rel, "UNION", True)

    def except_(self, other_rel: Any) -> DuckDBPyRelation:
        return self._set(other_rel, "EXCEPT", True)

    def intersect(self, other_rel: Any) -> DuckDBPyRelation:
        return self._set(other_rel, "INTERSECT", True)

    def query(self, virtual_table_name: str, sql_query: str) -> Any:
        registered = self._connection._engine.registered
        low = virtual_table_name.lower()
        before = registered.get(low)
        registered[low] = self
        try:
            return self._connection.sql(sql_query)
        finally:
            registered.pop(low)
            if before is not None:
                registered[low] = before

    def __getitem__(self, name: str) -> DuckDBPyRelation:
        return self._one(name)

    def _one(self, name: str) -> DuckDBPyRelation:
        if name not in self._bound.names:
            raise AttributeError("This relation does not contain a column by "
                                 f"the name of '{name}'")
        return self._derived("", '"' + name.replace('"', '""') + '"')

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._bound.names:
            return self._one(name)
        if name in _LEFT_OUT:
            lacks(f"relation.{name}()", "use SQL")
        raise AttributeError("This relation does not contain a column by the "
                             f"name of '{name}'")

    # -- one aggregate

    def count(self, column: str = "*", groups: str = "",
              projected_columns: str = "") -> DuckDBPyRelation:
        return self._aggregate("count", column, groups, projected_columns)

    def _aggregate(self, name: str, column: str, groups: str,
                   projected: str) -> DuckDBPyRelation:
        items = ", ".join([one for one in (projected or groups,) if one]
                          + [f"{name}({column})"])
        return self._derived(f"GROUP BY {groups}" if groups else "", items)

    def value_counts(self, column: str,
                     groups: str = "") -> DuckDBPyRelation:
        if groups:
            lacks("value_counts(groups=...)")
        return self._derived(f"GROUP BY {column}",
                             f"{column}, count({column})")

    # -- tables and files

    def create(self, table_name: str) -> None:
        engine = self._connection._engine
        runner = Runner(engine)
        query = n.Query(n.Select((n.Named(n.Star()),),
                                 RelationSource(self._bound, self.alias)))
        runner.r_create_table("", table_name, [], [], query, False, False)

    to_table = create

    def create_view(self, view_name: str, replace: bool = True) -> Any:
        engine = self._connection._engine
        if engine.table(view_name) is not None and not replace:
            fail(CatalogException,
                 f'View with name "{view_name}" already exists!')
        engine.registered[view_name.lower()] = self
        return self

    to_view = create_view

    def insert_into(self, table_name: str) -> None:
        query = n.Query(n.Select((n.Named(n.Star()),),
                                 RelationSource(self._bound, self.alias)))
        Runner(self._connection._engine).r_insert(
            "", table_name, (), query, "", None, False, None)

    def to_csv(self, file_name: str, *, sep: str = ",", na_rep: str = "",
               header: bool = True, quotechar: str = '"',
               quoting: Any = None) -> None:
        from ._files import write_csv
        if quoting not in (None, 0, 1, "force", "all"):
            lacks(f"to_csv(quoting={quoting!r})")
        write_csv(file_name, self._bound.names, self._bound.types,
                  self._rows(), sep, header, na_rep, quotechar,
                  quoting in (1, "force", "all"))

    write_csv = to_csv

    def to_parquet(self, file_name: str, *, compression: Any = None) -> None:
        options = {} if compression is None else {"compression": compression}
        self.df().to_parquet(file_name, **options)

    write_parquet = to_parquet


def _text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        lacks(f"{where}() of an Expression", "give SQL as a text")


def _aggregate_method(name: str) -> Any:
    def method(self: DuckDBPyRelation, column: str, groups: str = "",
               projected_columns: str = "") -> DuckDBPyRelation:
        return self._aggregate(name, column, groups, projected_columns)
    method.__name__ = name
    return method


for _name in ("sum", "avg", "min", "max", "median", "mode", "stddev",
              "variance", "product", "any_value", "first", "last",
              "bool_and", "bool_or", "list", "std", "var", "mean"):
    setattr(DuckDBPyRelation, _name, _aggregate_method(
        {"std": "stddev", "var": "variance", "mean": "avg"}.get(_name,
                                                                 _name)))

_LEFT_OUT = frozenset("""describe explain map row_number rank dense_rank lag
    lead ntile percent_rank cume_dist first_value last_value nth_value
    histogram quantile quantile_cont quantile_disc string_agg update
    sql_query fetch_arrow_reader record_batch select_types select_dtypes
    insert apply""".split())


def value_relation(connection: Any, result: Result) -> DuckDBPyRelation:
    """A relation of rows that are there already."""
    runner = Runner(connection._engine)
    columns = [list(one) for one in zip(*result.rows)] or [
        [] for _ in result.names]
    stored = connection._engine.scan(runner.binder, result.names,
                                     result.kinds, columns)
    items = ", ".join(f'"{name}" AS c{k}'.replace("\0", "")
                      for k, (name, _) in enumerate(stored.columns))
    bound = Bound(f'SELECT {items} FROM "{stored.stored}"', result.names,
                  result.kinds)
    return DuckDBPyRelation(connection, bound, list(runner.binder.scans))


__all__ = ["DuckDBPyRelation", "value_relation", "parse", "Error",
           "BinderException"]
