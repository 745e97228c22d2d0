"""The parts of a parsed statement."""

from __future__ import annotations

from typing import Any, NamedTuple


class Col(NamedTuple):
    parts: tuple


class Const(NamedTuple):
    """KIND is int, decimal, double, text, bool, null, or `python`: VALUE is
    then a pair of a type and the value that the engine keeps."""

    kind: str
    value: Any


class Param(NamedTuple):
    key: Any


class Star(NamedTuple):
    table: Any = None
    exclude: tuple = ()
    replace: tuple = ()
    matching: Any = None


class Func(NamedTuple):
    name: str
    args: tuple
    distinct: bool = False
    order: tuple = ()
    where: Any = None
    system: bool = False  # written as words of SQL's own, such as extract()
    nulls: str = ""


class Window(NamedTuple):
    func: Any
    partition: tuple = ()
    order: tuple = ()
    frame: Any = None
    base: Any = None


class Unary(NamedTuple):
    op: str
    arg: Any


class Binary(NamedTuple):
    op: str
    left: Any
    right: Any


class Case(NamedTuple):
    operand: Any
    whens: tuple
    other: Any


class Cast(NamedTuple):
    arg: Any
    kind: Any
    trying: bool = False


class In(NamedTuple):
    arg: Any
    items: Any
    negated: bool = False


class Between(NamedTuple):
    arg: Any
    low: Any
    high: Any
    negated: bool = False


class Exists(NamedTuple):
    query: Any


class Sub(NamedTuple):
    query: Any


class Quantified(NamedTuple):
    op: str
    left: Any
    query: Any
    every: bool


class Interval(NamedTuple):
    arg: Any
    unit: str


class Items(NamedTuple):
    items: tuple


class Struct(NamedTuple):
    fields: tuple


class Lambda(NamedTuple):
    params: tuple
    body: Any


class Index(NamedTuple):
    arg: Any
    low: Any
    high: Any = None
    is_slice: bool = False


class Order(NamedTuple):
    expr: Any
    descending: bool = False
    nulls_first: bool = False


class Named(NamedTuple):
    """An expression of a SELECT list, and its alias."""

    expr: Any
    alias: Any = None


# What follows FROM


class Table(NamedTuple):
    parts: tuple
    alias: Any = None
    columns: tuple = ()


class Derived(NamedTuple):
    query: Any
    alias: Any = None
    columns: tuple = ()


class TableFunc(NamedTuple):
    name: str
    args: tuple
    options: tuple
    alias: Any = None
    columns: tuple = ()
    ordinality: bool = False


class Join(NamedTuple):
    kind: str
    left: Any
    right: Any
    on: Any = None
    using: tuple = ()
    natural: bool = False


# Queries


class Select(NamedTuple):
    items: tuple
    source: Any = None
    where: Any = None
    group: Any = None  # None, "all" or a tuple
    having: Any = None
    qualify: Any = None
    windows: tuple = ()
    distinct: Any = None  # None, True or a tuple of expressions


class Values(NamedTuple):
    rows: tuple


class SetOp(NamedTuple):
    op: str
    every: bool
    by_name: bool
    left: Any
    right: Any


class Query(NamedTuple):
    """A body with what stands around it."""

    body: Any
    ctes: tuple = ()
    recursive: bool = False
    order: Any = ()  # a tuple of Order, or "all"
    limit: Any = None
    offset: Any = None


class Pivot(NamedTuple):
    source: Any
    on: tuple
    using: tuple
    group: tuple


class Unpivot(NamedTuple):
    source: Any
    on: tuple
    name: str
    value: str


class Statement(NamedTuple):
    """All that is not a query: KIND, and its parts by name."""

    kind: str
    parts: dict


class Ready(NamedTuple):
    """A column that is bound already: one of a star."""

    name: str
    sql: str
    kind: Any
