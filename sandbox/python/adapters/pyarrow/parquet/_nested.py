"""Lists, structs and maps: from levels to values, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _types as t
from .._array import Array, make, objects, of_objects
from . import _tree
from ._read import Column


class _Leaf:
    """A column's levels, and the value or None at each."""

    def __init__(self, column: Column) -> None:
        self.defs, self.reps = column.levels()
        node = column.node
        present = self.defs == node.max_def
        values = make(node.type, column.values()).to_pylist()
        self.items = np.full(len(present), None, object)
        if int(present.sum()) != len(values):
            raise ValueError("another number of values than levels tell")
        for i, one in zip(np.flatnonzero(present).tolist(), values):
            self.items[i] = one


def assemble(node: Any, kind: Any, columns: dict[Any, Column]) -> Array:
    """The array of a nested column."""
    leaves = {path: _Leaf(one) for path, one in columns.items()}
    if node.repetition == _tree.REPEATED:
        rows = _repeated(node, node, leaves, 0, 0, optional=False)
    else:
        rows = _rows(node, leaves, 0, 0)
    return of_objects(kind, rows)


def _first(node: Any, leaves: Any) -> Any:
    return leaves[next(node.leaves()).path]


def _places(leaf: Any, rep: int, least: int) -> Any:
    """Where the slots begin that are inside of REP repeated nodes."""
    return np.flatnonzero((leaf.reps <= rep) & (leaf.defs >= least))


def _rows(node: Any, leaves: Any, rep: int, least: int) -> list[Any]:
    """A Python value for each slot of the repeated node around NODE."""
    leaf = _first(node, leaves)
    places = _places(leaf, rep, least)
    if not node.children:
        return leaf.items[places].tolist()
    if node.is_list:
        return _repeated(_tree.element_of(node), node, leaves, rep, least)
    if node.is_map:
        return _repeated(_tree.pair_of(node), node, leaves, rep, least)
    there = (leaf.defs[places] >= node.max_def).tolist()
    return _structs(node, leaves, rep, least, there)


def _structs(node: Any, leaves: Any, rep: int, least: int,
             there: list[bool]) -> list[Any]:
    names = [one.name for one in node.children]
    columns = [_repeated(one, one, leaves, rep, least, optional=False)
               if one.repetition == _tree.REPEATED
               else _rows(one, leaves, rep, least) for one in node.children]
    return [dict(zip(names, row)) if ok else None
            for row, ok in zip(zip(*columns), there)]


def _repeated(inner: Any, node: Any, leaves: Any, rep: int, least: int,
              optional: bool = True) -> list[Any]:
    """Lists: of the slots of INNER between those of NODE."""
    middle = inner if inner.repetition == _tree.REPEATED else \
        node.children[0]
    leaf = _first(node, leaves)
    outer = _places(leaf, rep, least)
    places = _places(leaf, rep + 1, middle.max_def)
    if inner is node or inner is middle and not inner.children:
        items = leaf.items[places].tolist() if not inner.children else \
            _structs(inner, leaves, rep + 1, middle.max_def,
                     [True] * len(places))
    elif inner is middle:
        items = _structs(inner, leaves, rep + 1, middle.max_def,
                         [True] * len(places))
        if node.is_map:
            items = [tuple(one.values()) for one in items]
    else:
        items = _rows(inner, leaves, rep + 1, middle.max_def)
    cuts = np.searchsorted(places, outer).tolist() + [len(places)]
    absent = (leaf.defs[outer] < node.max_def).tolist() if optional else \
        [False] * len(outer)
    return [None if gone else items[cuts[i]:cuts[i + 1]]
            for i, gone in enumerate(absent)]


# -- to write

class Shredded:
    """A leaf to write: levels, and an array of the values that are there."""

    def __init__(self, path: tuple[str, ...], field: t.Field, defs: Any,
                 reps: Any, values: Any, most: tuple[int, int]) -> None:
        self.path, self.field = path, field
        self.defs, self.reps = np.array(defs, int), np.array(reps, int)
        from .._build import of_rows
        self.values = of_rows(objects(values), field.type, False)
        self.max_def, self.max_rep = most


def shred(field: t.Field, rows: list[Any]) -> list[Shredded]:
    """The leaves of a nested column."""
    entries = [(0, 0, True, one) for one in rows]
    return _shred(field, (), entries, 0, 0)


def _shred(field: t.Field, path: Any, entries: Any, most_def: int,
           most_rep: int) -> list[Shredded]:
    """ENTRIES are (repetition, definition, whether it is there, value)."""
    path = (*path, field.name)
    kind = field.type
    if field.nullable:
        most_def += 1
        entries = [(r, d + (ok and value is not None), ok and
                    value is not None, value)
                   for r, d, ok, value in entries]
    if kind._kind == "struct":
        return [one for child in kind for one in _shred(
            child, path, [(r, d, ok, value.get(child.name) if ok else None)
                          for r, d, ok, value in entries],
            most_def, most_rep)]
    if kind._kind in ("list", "map"):
        return _shred_list(kind, path, entries, most_def, most_rep)
    return [Shredded(path, field, [one[1] for one in entries],
                     [one[0] for one in entries],
                     [one[3] for one in entries if one[2]],
                     (most_def, most_rep))]


def _shred_list(kind: Any, path: Any, entries: Any, most_def: int,
                most_rep: int) -> list[Shredded]:
    most_rep += 1
    made = []
    for r, d, ok, value in entries:
        if not ok or not len(value):
            made.append((r, d, False, None))
            continue
        for i, item in enumerate(value):
            made.append((r if i == 0 else most_rep, d + 1, True, item))
    most_def += 1
    if kind._kind == "list":
        inner = kind.value_field.with_name("element")
        return _shred(inner, (*path, "list"), made, most_def, most_rep)
    return [one for i, child in enumerate((kind.key_field, kind.item_field))
            for one in _shred(child, (*path, "key_value"),
                              [(r, d, ok, item[i] if ok else None)
                               for r, d, ok, item in made],
                              most_def, most_rep)]
