"""What names mean: the columns of FROM, aliases, and groups."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple

from . import _nodes as n
from ._errors import BinderException, fail
from ._types import T


class E(NamedTuple):
    """A bound expression: the engine's SQL, its type, and the constant that
    it is, where SQL has it as a literal (its type is then open)."""

    sql: str
    type: T
    const: Any = None

    @property
    def is_text(self) -> bool:
        return self.const is not None and self.const.kind == "text"

    @property
    def is_int(self) -> bool:
        return self.const is not None and self.const.kind == "int"

    @property
    def is_null(self) -> bool:
        return self.type.id == "NULL"


class Column(NamedTuple):
    name: str
    sql: str
    type: T


class Rel:
    """A table of FROM: its name there, and its columns."""

    def __init__(self, name: str, columns: list[Column]) -> None:
        self.name, self.columns = name, columns
        self.index = {one.name.lower(): one for one in reversed(columns)}
        self.hidden: set[str] = set()  # shown once for two tables: USING


class Scope:
    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.rels: list[Rel] = []
        self.merged: dict[str, E] = {}  # columns of USING
        self.aliases: dict[str, Any] = {}
        self.busy: set[str] = set()
        self.windows: dict[str, Any] = {}
        self.lambdas: dict[str, E] = {}
        self.groups: set[str] | None = None  # the SQL of each
        self.mode = "rows"  # grouped: only groups and aggregates
        self.deep = False   # whether some group is no plain column
        self.unnested: list[Any] = []
        self.filters: list[str] = []  # conditions of SEMI and ANTI joins
        self.may_unnest = False

    # -- columns

    def find(self, parts: tuple) -> E | None:
        """The column that PARTS name in this scope alone."""
        if len(parts) == 1:
            return self._plain(parts[0])
        table, name = parts[-2].lower(), parts[-1].lower()
        for rel in self.rels:
            if rel.name.lower() == table:
                column = rel.index.get(name)
                if column is None:
                    self._no_column(rel, parts)
                return E(column.sql, column.type)
        return None

    @staticmethod
    def _no_column(rel: Rel, parts: tuple) -> None:
        fail(BinderException, f'Table "{parts[-2]}" does not have a column '
             f'named "{parts[-1]}"')

    def _plain(self, name: str) -> E | None:
        low = name.lower()
        if low in self.lambdas:
            return self.lambdas[low]
        if low in self.merged:
            return self.merged[low]
        found = [rel for rel in self.rels if low in rel.index]
        if len(found) > 1:
            both = " or ".join(f'"{rel.name}.{name}"' for rel in found[:2])
            fail(BinderException, f'Ambiguous reference to column name '
                 f'"{name}" (use: {both})')
        if found:
            column = found[0].index[low]
            return E(column.sql, column.type)
        return None

    def check(self, found: E, name: str) -> E:
        """Refuse a column that is neither grouped nor in an aggregate."""
        if self.mode == "grouped" and self.groups is not None \
                and found.sql not in self.groups:
            fail(BinderException, f'column "{name}" must appear in the GROUP '
                 "BY clause or must be part of an aggregate function.\n"
                 "Either add it to the GROUP BY list, or use "
                 f'"ANY_VALUE({name})" if the exact value of "{name}" is not '
                 "important.")
        return found

    def missing(self, parts: tuple) -> None:
        if len(parts) > 1 and not any(
                rel.name.lower() == parts[-2].lower() for rel in self.rels):
            names = [rel.name for rel in self.rels]
            near = difflib.get_close_matches(parts[-2], names, 1, 0.3) or \
                names[:1]
            hint = f'\nCandidate tables: "{near[0]}"' if near else ""
            fail(BinderException,
                 f'Referenced table "{parts[-2]}" not found!{hint}')
        near = self._near(parts[-1])
        hint = "\nCandidate bindings: " + ", ".join(
            f'"{one}"' for one in near) if near else ""
        fail(BinderException, f'Referenced column "{parts[-1]}" not found in '
             f"FROM clause!{hint}")

    def _near(self, name: str) -> list[str]:
        """Up to five columns with names like NAME."""
        all_ = [(column.name, rel.name) for rel in self.rels
                for column in rel.columns]
        low = name.lower()
        scored = sorted(all_, key=lambda pair: -difflib.SequenceMatcher(
            None, low, pair[0].lower()).ratio())
        good = [pair for pair in scored if difflib.SequenceMatcher(
            None, low, pair[0].lower()).ratio() > 0.5] or scored[:1]
        return [f"{table}.{column}" for column, table in good[:5]]

    # -- stars

    def star(self, node: n.Star) -> list[Column]:
        """The columns of `*` or `t.*`, without those of EXCLUDE."""
        if node.table is None:
            rels, hides = self.rels, True
        else:
            rels = [rel for rel in self.rels
                    if rel.name.lower() == node.table.lower()]
            hides = False
            if not rels:
                self.missing((node.table, "*"))
        if not self.rels:
            fail(BinderException, "SELECT * expression without FROM clause!")
        found = []
        for rel in rels:
            for column in rel.columns:
                low = column.name.lower()
                if hides and low in rel.hidden:
                    continue
                if hides and low in self.merged:
                    merged = self.merged[low]
                    column = Column(column.name, merged.sql, merged.type)
                found.append(column)
        names = {column.name.lower() for column in found}
        for name in node.exclude:
            if name not in names:
                fail(BinderException, f'Column "{name}" in EXCLUDE list not '
                     "found in FROM clause")
        return [one for one in found if one.name.lower() not in node.exclude]
