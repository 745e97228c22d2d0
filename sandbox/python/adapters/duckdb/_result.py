"""Rows of a result: to fetch, and as tables."""

from __future__ import annotations

from typing import Any

from ._errors import lacks
from ._types import T, for_description
from ._values import python_of


class Result:
    """NAMES and KINDS of columns, and ROWS as the engine keeps them."""

    def __init__(self, names: list, kinds: list, rows: list) -> None:
        self.names, self.kinds, self.rows = names, kinds, rows
        self.at = 0

    @property
    def description(self) -> list:
        return [(name, for_description(kind), None, None, None, None, None)
                for name, kind in zip(self.names, self.kinds)]

    def _take(self, count: int | None) -> list:
        end = None if count is None else self.at + count
        rows = self.rows[self.at:end]
        self.at += len(rows)
        return rows

    def tuples(self, count: int | None = None) -> list:
        rows = self._take(count)
        if not rows:
            return []
        columns = [column if kind.id in _SAME else _converted(kind, column)
                   for kind, column in zip(self.kinds, zip(*rows))]
        return list(zip(*columns))

    def frame(self, date_as_object: bool = False) -> Any:
        from ._frames import frame
        return frame(self.names, self.kinds, self._take(None),
                     date_as_object)

    def arrays(self) -> dict:
        from ._frames import arrays
        return arrays(self.names, self.kinds, self._take(None))


_SAME = frozenset(("INTEGER", "BIGINT", "SMALLINT", "TINYINT", "HUGEINT",
                   "DOUBLE", "FLOAT", "VARCHAR", "BLOB", "NULL", "UTINYINT",
                   "USMALLINT", "UINTEGER", "UBIGINT"))


def _converted(kind: T, column: Any) -> list:
    make = python_of(kind)
    return [None if one is None else make(one) for one in column]


class Fetches:
    """What connections and relations have in common; _open() gives the
    result."""

    def _open(self) -> Result:
        raise NotImplementedError

    def fetchall(self) -> list:
        return self._open().tuples()

    def fetchone(self) -> Any:
        rows = self._open().tuples(1)
        return rows[0] if rows else None

    def fetchmany(self, size: int = 1) -> list:
        return self._open().tuples(size)

    def fetchdf(self, *, date_as_object: bool = False) -> Any:
        return self._open().frame(date_as_object)

    df = fetch_df = fetchdf

    def fetchnumpy(self) -> dict:
        return self._open().arrays()

    def pl(self, *args: Any, **kwargs: Any) -> Any:
        lacks("pl()", "polars may be absent; use df()")

    def arrow(self, *args: Any, **kwargs: Any) -> Any:
        lacks("a table of pyarrow", "use df()")

    fetch_arrow_table = fetch_record_batch = to_arrow_table = arrow

    def torch(self) -> Any:
        lacks("torch()", "use fetchnumpy()")

    tf = torch
