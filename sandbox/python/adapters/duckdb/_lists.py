"""Functions of lists and structs, which the engine keeps as JSON."""

from __future__ import annotations

import json
from typing import Any

from . import _nodes as n
from . import _types as types
from ._arithmetic import no_match
from ._dates import series
from ._errors import BinderException, InvalidInputException, fail, lacks
from ._scope import E
from ._types import INTEGERS, STAMPS, T
from ._values import text_of

_I, _V, _B = types.BIGINT, types.VARCHAR, types.BOOLEAN


def _list(es: list[E]) -> T:
    return es[0].type


def _child(es: list[E]) -> T:
    return es[0].type.args[0]


def pack(*values: Any) -> str:
    if any(isinstance(one, bytes) for one in values):
        lacks("a list of BLOB")
    return json.dumps(values)


def _list_value(binder: Any, node: n.Func, es: list[E]) -> E:
    if not es:
        return E("'[]'", types.list_of(types.INTEGER))
    es, kind = binder.same(es, "a list")
    if kind == types.NULL:
        kind = types.INTEGER
    sql = binder.call("pack", lambda: pack, [e.sql for e in es], nulls=True)
    return E(sql, types.list_of(kind))


def _struct_pack(binder: Any, node: n.Func) -> E:
    names, es = [], []
    for at, arg in enumerate(node.args):
        if isinstance(arg, n.Named):
            names.append(arg.alias)
            es.append(binder.bind(arg.expr))
        elif isinstance(arg, n.Col):
            names.append(arg.parts[-1])
            es.append(binder.bind(arg))
        else:
            lacks("a struct of fields without names")
    kind = T("STRUCT", tuple((name, e.type) for name, e in zip(names, es)))
    sql = binder.call("pack", lambda: pack, [e.sql for e in es], nulls=True)
    return E(sql, kind)


def _struct_extract(binder: Any, node: n.Func) -> E:
    e = binder.bind(node.args[0])
    name = node.args[1].value if isinstance(node.args[1], n.Const) else None
    if e.type.id != "STRUCT" or not isinstance(name, str):
        if isinstance(name, str) and len(node.args) == 2 \
                and e.type.id != "STRUCT":
            return _dotted(binder, e, name)
        lacks("this struct_extract()")
    return _field(binder, e, name)


def _dotted(binder: Any, e: E, name: str) -> E:
    fail(BinderException, f"Cannot extract field '{name}' from expression "
         "because it is not a struct, union, map, or json")


def _field(binder: Any, e: E, name: str) -> E:
    for at, (field, kind) in enumerate(e.type.args):
        if field.lower() == name.lower():
            sql = binder.call(("field", at), lambda: (
                lambda kept: json.loads(kept)[at]), [e.sql])
            return E(sql, kind)
    names = ", ".join(f'"{field}"' for field, _ in e.type.args)
    fail(BinderException, f'Could not find key "{name}" in struct\n'
         f"Candidate Entries: {names}")


def _element(binder: Any, node: n.Func, es: list[E]) -> E:
    e, at = es
    if e.type.id == "STRUCT" and at.is_text:
        return _field(binder, e, at.const.value)
    if e.type == types.VARCHAR:
        sql = binder.call("char", lambda: (lambda text, k: _item(text, k)
                                           or ""), [e.sql, at.sql])
        return E(sql, types.VARCHAR)
    if e.type.id != "LIST" or at.type.id not in INTEGERS:
        no_match("array_extract", es)
    sql = binder.call("item", lambda: (
        lambda kept, k: _item(json.loads(kept), k)), [e.sql, at.sql])
    return E(sql, e.type.args[0])


def _item(items: Any, at: int) -> Any:
    at = at - 1 if at > 0 else len(items) + at if at < 0 else -1
    return items[at] if 0 <= at < len(items) else None


def _slice(binder: Any, node: n.Func, es: list[E]) -> E:
    def cut(kept: Any, low: Any, high: Any) -> Any:
        if kept is None:
            return None
        items = kept if text else json.loads(kept)
        size = len(items)
        low = 1 if low is None else low if low >= 0 else size + low + 1
        high = size if high is None else high if high >= 0 \
            else size + high + 1
        made = items[max(low - 1, 0):max(high, 0)]
        return made if text else json.dumps(made)
    text = es[0].type == types.VARCHAR
    if not text and es[0].type.id != "LIST" or len(es) != 3:
        no_match("array_slice", es)
    return E(binder.call(("slice", text), lambda: cut,
                         [e.sql for e in es], nulls=True), es[0].type)


def _contains(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) == 2 and node.name == "contains" \
            and es[0].type.id != "LIST":
        return _text_contains(binder, es)
    item = _as_item(binder, node, es)
    return E(binder.call("list_contains", lambda: lambda kept, one: int(
        one in json.loads(kept)), [es[0].sql, item]), _B)


def _text_contains(binder: Any, es: list[E]) -> E:
    if any(e.type.id not in ("VARCHAR", "NULL") for e in es):
        no_match("contains", es)
    return E(f"(instr({es[0].sql}, {es[1].sql}) > 0)", _B)


def _as_item(binder: Any, node: n.Func, es: list[E]) -> str:
    if len(es) != 2 or es[0].type.id != "LIST":
        no_match(node.name, es)
    return binder.cast(es[1], es[0].type.args[0]).sql


def _position(binder: Any, node: n.Func, es: list[E]) -> E:
    def find(kept: str, one: Any) -> int:
        items = json.loads(kept)
        return items.index(one) + 1 if one in items else 0
    item = _as_item(binder, node, es)
    return E(binder.call("list_position", lambda: find, [es[0].sql, item]),
             types.INTEGER)


def _append(binder: Any, node: n.Func, es: list[E]) -> E:
    item = _as_item(binder, node, es)
    return E(binder.call("list_append", lambda: lambda kept, one: json.dumps(
        json.loads(kept or "[]") + [one]), [es[0].sql, item], nulls=True),
        es[0].type)


def _concat(binder: Any, node: n.Func, es: list[E]) -> E:
    if any(e.type.id not in ("LIST", "NULL") for e in es):
        no_match(node.name or "list_concat", es)
    es, kind = binder.same(es, "list_concat")
    sql = binder.call("list_concat", lambda: lambda *lists: json.dumps(
        sum((json.loads(one) for one in lists if one is not None), [])),
        [e.sql for e in es], nulls=True)
    return E(sql, kind)


def sort(kept: str, order: str = "ASC", nulls: str = "") -> str:
    items = json.loads(kept)
    if None in items and not nulls:
        lacks("list_sort() of NULL", "name 'NULLS FIRST' or 'NULLS LAST'")
    values = sorted((one for one in items if one is not None),
                    reverse=order.upper() in ("DESC", "DESCENDING"))
    gaps = [None] * (len(items) - len(values))
    return json.dumps(values + gaps if "LAST" in nulls.upper()
                      else gaps + values)


def _reversed(kept: str) -> str:
    return sort(kept, "DESC")


def _distinct(kept: str) -> str:
    return json.dumps(list(dict.fromkeys(
        one for one in json.loads(kept) if one is not None)))


def _to_string(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2 or es[0].type.id != "LIST":
        no_match(node.name, es)
    kind = es[0].type.args[0]
    write = text_of(kind)
    sql = binder.call(("array_to_string", kind), lambda: (
        lambda kept, mark: mark.join(write(one) for one in json.loads(kept)
                                     if one is not None)),
        [e.sql for e in es])
    return E(sql, _V)


def _aggregate(name: str) -> Any:
    """list_sum() and such: an aggregate over the items of one list."""
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        if len(es) != 1 or es[0].type.id != "LIST":
            no_match(node.name, es)
        return _over(binder, es[0], name)
    return function


def _over(binder: Any, e: E, name: str) -> E:
    from ._aggregates import of_bound
    item = binder.fresh("u")
    made = of_bound(binder, n.Func(name, ()), [
        E(f"{item}.value", e.type.args[0])])
    return E(f"(SELECT {made.sql} FROM json_each({e.sql}) AS {item})",
             made.type)


def _list_aggregate(binder: Any, node: n.Func, es: list[E]) -> E:
    name = binder.constant(node.args[1], "the name of an aggregate")
    return _over(binder, es[0], name)


# -- functions of a lambda


def _with_lambda(binder: Any, node: n.Func, use: Any) -> E:
    if len(node.args) != 2 or not isinstance(node.args[1], n.Lambda):
        lacks(f"{node.name}() without a lambda")
    e = binder.bind(node.args[0])
    if e.type.id != "LIST":
        no_match(node.name, [e])
    item, params = binder.fresh("u"), node.args[1].params
    scope, names = binder.scope, [one.lower() for one in params]
    if len(names) > 2 or any(name in scope.lambdas for name in names):
        lacks("these parameters of a lambda")
    scope.lambdas[names[0]] = E(f"{item}.value", e.type.args[0])
    if len(names) == 2:
        scope.lambdas[names[1]] = E(f"({item}.key + 1)", _I)
    try:
        return use(binder, e, item, node.args[1].body)
    finally:
        for name in names:
            del scope.lambdas[name]


def _collected(binder: Any, e: E, item: str, made: E, where: str) -> E:
    from ._aggregates import gather_items
    collect = binder.engine.aggregate("items", 1, gather_items)
    sql = (f"(CASE WHEN {e.sql} IS NULL THEN NULL ELSE (SELECT "
           f"{collect}({made.sql}) FROM json_each({e.sql}) AS {item}"
           f"{where}) END)")
    return E(sql, types.list_of(made.type))


def _transform(binder: Any, e: E, item: str, body: Any) -> E:
    return _collected(binder, e, item, binder.bind(body), "")


def _filter(binder: Any, e: E, item: str, body: Any) -> E:
    made = E(f"{item}.value", e.type.args[0])
    return _collected(binder, e, item, made,
                      f" WHERE {binder.boolean(body)}")


# -- series


def _numbers(closed: bool) -> Any:
    def work(*values: int) -> str:
        first, last, step = (0, values[0], 1) if len(values) == 1 else (
            *values, 1)[:3]
        if step == 0:
            fail(InvalidInputException, "interval cannot be 0!")
        end = last + (1 if step > 0 else -1) if closed else last
        return json.dumps(list(range(first, end, step)))
    return work


def _series(closed: bool) -> Any:
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        if es and (es[0].type.id in STAMPS or es[0].type.id == "DATE"):
            return _stamps(binder, node, es, closed)
        if not 1 <= len(es) <= 3 or any(
                e.type.id not in INTEGERS | {"NULL"} for e in es):
            no_match(node.name, es)
        sql = binder.call(("series", closed), lambda: _numbers(closed),
                          [e.sql for e in es])
        return E(sql, types.list_of(_I))
    return function


def _stamps(binder: Any, node: n.Func, es: list[E], closed: bool) -> E:
    if len(es) != 3:
        no_match(node.name, es)
    kinds = (types.TIMESTAMP, types.TIMESTAMP, types.INTERVAL)
    args = [binder.cast(e, kind).sql for e, kind in zip(es, kinds)]
    sql = binder.call(("stamps", closed), lambda: lambda first, last, step: (
        json.dumps(series(first, last, step, closed))), args)
    return E(sql, types.list_of(types.TIMESTAMP))


LISTS: dict[str, list[tuple]] = {
    "length len array_length": [("L", _I, lambda kept: len(
        json.loads(kept)))],
    "list_sort array_sort": [("L V? V?", _list, sort)],
    "list_reverse_sort array_reverse_sort": [("L", _list, _reversed)],
    "list_reverse array_reverse": [("L", _list, lambda kept: json.dumps(
        json.loads(kept)[::-1]))],
    "list_distinct array_distinct": [("L", _list, _distinct)],
    "list_unique array_unique": [("L", _I, lambda kept: len(json.loads(
        _distinct(kept))))],
}
LIST_SPECIAL: dict[str, Any] = {
    "list_value list_pack": _list_value,
    "element array_extract list_extract list_element": _element,
    "array_slice list_slice": _slice,
    "list_contains array_contains list_has array_has contains": _contains,
    "list_position array_position list_indexof array_indexof": _position,
    "list_append array_append array_push_back": _append,
    "list_concat list_cat array_concat array_cat": _concat,
    "array_to_string": _to_string,
    "list_aggregate array_aggregate list_aggr array_aggr": _list_aggregate,
    "range": _series(False), "generate_series": _series(True),
}
for _name in ("sum", "avg", "min", "max", "count", "median", "mode", "first",
              "last", "any_value", "stddev_samp", "stddev_pop", "var_samp",
              "var_pop", "product", "string_agg"):
    LIST_SPECIAL[f"list_{_name}"] = _aggregate(_name)
LIST_RAW: dict[str, Any] = {
    "struct_pack": _struct_pack, "struct_extract": _struct_extract,
    "list_transform list_apply array_transform apply": lambda binder, node:
        _with_lambda(binder, node, _transform),
    "list_filter array_filter filter": lambda binder, node:
        _with_lambda(binder, node, _filter),
}
