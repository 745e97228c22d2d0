"""_registry - the operations, by the names of the methods that do them.

Each is a function of columns. Methods of Series and Expr are made from them, so
both have the same names, parameters and defaults. The kinds:

- each: a value for each value, alone;
- whole: as many values as before, each from all of the group's;
- shape: another number of values;
- aggregate: one value for a group; the second parameter is the groups.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple


class Operation(NamedTuple):
    name: str
    run: Callable[..., Any]
    kind: str
    columns: tuple[str, ...]    # parameters in which a text names a column


OPERATIONS: dict[str, Operation] = {}


def _register(kind: str, name: str, columns: tuple[str, ...]) -> Any:
    def keep(run: Callable[..., Any]) -> Callable[..., Any]:
        known = name or run.__name__.strip("_")
        if known.endswith("."):
            known += run.__name__.strip("_")
        OPERATIONS[known] = Operation(known, run, kind, columns)
        return run
    return keep


def each(name: str = "", *columns: str) -> Any:
    return _register("each", name, columns)


def whole(name: str = "", *columns: str) -> Any:
    return _register("whole", name, columns)


def shape(name: str = "", *columns: str) -> Any:
    return _register("shape", name, columns)


def aggregate(name: str = "", *columns: str) -> Any:
    return _register("aggregate", name, columns)


def rename(new: str, old: str) -> None:
    """NEW is another name of the operation OLD."""
    OPERATIONS[new] = OPERATIONS[old]._replace(name=new)
