"""Scalar functions: which arguments each takes, and which type it gives.

A row of a table is: the kinds of arguments, the type of the result, and a
function of Python over kept values, or the engine's SQL with {0}, {1}.
V text, I whole number, D double, B boolean, T timestamp, N any number,
A anything, L list; `?` follows one that may be absent, `*` one that repeats.
"""

from __future__ import annotations

from typing import Any, Callable

from . import _nodes as n
from . import _types as types
from ._arithmetic import no_match
from ._errors import CatalogException, fail, lacks
from ._maths import MATHS
from ._scope import E
from ._strings import STRINGS, format_, printf
from ._types import FLOATS, INTEGERS, STAMPS, T

# Functions of DuckDB that are not here: not to be called unknown.
_ELSEWHERE = frozenset("""current_time localtime row flatten
    list_prepend array_prepend array_push_front array_pop_back jaccard
    array_pop_front list_has_any list_has_all array_has_any array_has_all
    list_intersect array_intersect struct_values map_extract map_contains
    map_concat map_entries list_inner_product array_inner_product signbit
    regexp_split_to_table to_decades to_centuries to_millennia to_quarters
    timezone_hour timezone_minute julian array_to_json list_zip array_zip
    list_any_value list_bit_and list_bit_or list_histogram uuid
    gen_random_uuid json json_extract json_extract_string json_array_length
    json_object json_array json_valid json_keys json_type to_json map map_keys
    map_values map_from_entries cardinality element_at list_reduce
    array_reduce list_filter_index hash setseed timezone to_timestamp
    struct_insert list_zip list_grade_up unpivot_list encode decode hex unhex
    bin bit_count bar icu_sort_key getenv current_setting
    currval txid_current typeof_enum enum_range histogram_values
    list_resize list_where list_select flatten_struct strip_accents
    nfc_normalize parse_path parse_filename read_text read_blob glob
    array_cosine_similarity array_distance list_cosine_similarity
    list_distance list_dot_product epoch_ns damerau_levenshtein
    jaro_similarity jaro_winkler_similarity hamming mismatches url_encode
    url_decode regexp_escape formatreadablesize format_bytes sha1 uuid_string
    isinf_list nextafter gamma lgamma century_of julian era apply list_apply
    ordinality pg_typeof current_database current_schemas split_part_list
    equi_width_bins to_base from_base64 make_time row_to_json
    list_bool_and generate_subscripts alias error to_binary to_hex""".split())

_CODES = {"V": types.VARCHAR, "I": types.BIGINT, "D": types.DOUBLE,
          "B": types.BOOLEAN, "T": types.TIMESTAMP, "S": types.INTEGER}


def accepts(e: E, code: str) -> bool:
    kind = e.type.id
    if kind == "NULL" or code == "A" or e.is_text and code not in "LN":
        return True
    if code == "V":
        return kind == "VARCHAR"
    if code in "IS":
        return kind in INTEGERS
    if code in "DN":
        return types.is_number(e.type)
    if code == "B":
        return kind == "BOOLEAN"
    if code == "T":
        return kind in ("DATE", types.STAMP_TZ.id) or kind in STAMPS
    return kind == "LIST"


def _codes(spec: str, count: int) -> list[str] | None:
    """The code of each of COUNT arguments, or None if they do not fit."""
    parts = spec.split()
    if parts and parts[-1].endswith("*"):
        last = parts.pop()[0]
        if count < len(parts) + (last in "AV" and not parts):
            return None
        return [one[0] for one in parts] + [last] * (count - len(parts))
    least = sum(not one.endswith("?") for one in parts)
    if not least <= count <= len(parts):
        return None
    return [one[0] for one in parts[:count]]


def _by_row(binder: Any, name: str, row: tuple, es: list[E]) -> E | None:
    spec, result, work = row
    codes = _codes(spec, len(es))
    if codes is None or not all(map(accepts, es, codes)):
        return None
    es = [binder.cast(e, _CODES[code]) if code in _CODES else e
          for e, code in zip(es, codes)]
    kind = result(es) if callable(result) else result
    args = [e.sql for e in es]
    if isinstance(work, str):
        return E(work.format(*args), kind)
    return E(binder.call((name, spec), lambda: work, args), kind)


def bind_bound(binder: Any, node: n.Func, es: list[E]) -> E:
    """The call of NODE's function with the bound arguments ES."""
    special = SPECIAL.get(node.name)
    if special is not None:
        return special(binder, node, es)
    rows = TABLE.get(node.name)
    if rows is None:
        _unknown(binder, node.name)
    for row in rows:
        made = _by_row(binder, node.name, row, es)
        if made is not None:
            return made
    return no_match(node.name, es)


def _unknown(binder: Any, name: str) -> Any:
    import difflib

    from ._aggregates import AGGREGATES, LEFT_OUT
    from ._windows import WINDOWS
    if name in _ELSEWHERE or name in LEFT_OUT:
        lacks(f"the function {name}()")
    if name in WINDOWS:
        fail(CatalogException, f"{name} is a window function: it needs OVER")
    names = [*TABLE, *SPECIAL, *RAW, *AGGREGATES]
    near = difflib.get_close_matches(name, names, 1, 0.4)
    hint = f'\nDid you mean "{near[0]}"?' if near else ""
    fail(CatalogException,
         f"Scalar Function with name {name} does not exist!{hint}")


def bind_function(binder: Any, node: n.Func) -> E:
    user = binder.engine.users.get(node.name)
    if user is not None:
        from ._user import call
        return call(binder, node.name, user,
                    [binder.bind(one) for one in node.args])
    raw = RAW.get(node.name)
    if raw is not None:
        return raw(binder, node)
    for arg in node.args:
        if isinstance(arg, (n.Named, n.Lambda)):
            if node.name not in TABLE and node.name not in SPECIAL:
                _unknown(binder, node.name)
            lacks(f"this argument of {node.name}()")
    if node.name not in TABLE and node.name not in SPECIAL:
        _unknown(binder, node.name)
    return bind_bound(binder, node, [binder.bind(one) for one in node.args])


# -- functions that look at the types of their arguments


def _coalesce(binder: Any, node: n.Func, es: list[E]) -> E:
    es, kind = binder.same(es, "COALESCE")
    if len(es) == 1:
        return es[0]
    return E(f"COALESCE({', '.join(e.sql for e in es)})", kind)


def _nullif(binder: Any, node: n.Func, es: list[E]) -> E:
    if len(es) != 2:
        no_match("nullif", es)
    (one, other), kind = binder.same(es, "compare")
    first = es[0] if not (es[0].is_text or es[0].is_int) else one
    return E(f"(CASE WHEN {one.sql} = {other.sql} THEN NULL ELSE "
             f"{first.sql} END)", first.type)


def _extreme(word: str) -> Callable[..., E]:
    pick = max if word == "greatest" else min

    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        es, kind = binder.same(es, word)
        if len(es) == 1:
            return es[0]
        sql = binder.call((word,), lambda: lambda *values: pick(
            (one for one in values if one is not None), default=None),
            [e.sql for e in es], nulls=True)
        return E(sql, kind)
    return function


def _concat(binder: Any, node: n.Func, es: list[E]) -> E:
    if any(e.type.id == "LIST" for e in es):
        return bind_bound(binder, n.Func("list_concat", ()), es)
    texts = [binder.cast(e, types.VARCHAR).sql for e in es]
    return E(binder.call("concat", lambda: lambda *values: "".join(
        one for one in values if one is not None), texts, nulls=True),
        types.VARCHAR)


def _concat_ws(binder: Any, node: n.Func, es: list[E]) -> E:
    texts = [binder.cast(e, types.VARCHAR).sql for e in es]

    def join(sep: Any, *values: Any) -> Any:
        return None if sep is None else sep.join(
            one for one in values if one is not None)
    return E(binder.call("concat_ws", lambda: join, texts, nulls=True),
             types.VARCHAR)


def _written(work: Any) -> Callable[..., E]:
    """format(), printf(): over texts, whole numbers and doubles."""
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        if not es or es[0].type.id != "VARCHAR":
            no_match(node.name, es)
        es = [binder.cast(e, types.DOUBLE) if e.type.id == "DECIMAL" else e
              for e in es]
        for e in es:
            if e.type.id not in INTEGERS | FLOATS | {"VARCHAR"}:
                lacks(f"{node.name}() of {e.type}", "cast it first")
        return E(binder.call(node.name, lambda: work, [e.sql for e in es]),
                 types.VARCHAR)
    return function


def _typeof(binder: Any, node: n.Func, es: list[E]) -> E:
    from ._values import literal
    name = literal(str(es[0].type))
    # the argument stays: it may be an aggregate
    return E(f"(CASE WHEN {es[0].sql} IS NULL THEN {name} ELSE {name} END)",
             types.VARCHAR)


def _if(binder: Any, node: n.Func) -> E:
    if len(node.args) != 3:
        no_match("if", [binder.bind(one) for one in node.args])
    condition, value, other = node.args
    return binder.bind(n.Case(None, ((condition, value),), other))


def _escape(word: str) -> Callable[..., E]:
    def function(binder: Any, node: n.Func, es: list[E]) -> E:
        texts = [binder.cast(e, types.VARCHAR).sql for e in es]
        if "ilike" in node.name:
            texts[:2] = [binder.call("lower", lambda: str.lower, [text])
                         for text in texts[:2]]
        return E(f"({texts[0]} {word} {texts[1]} ESCAPE {texts[2]})",
                 types.BOOLEAN)
    return function


def _random(binder: Any, node: n.Func, es: list[E]) -> E:
    return E(f"{binder.engine.volatile('random')}()", types.DOUBLE)


def _nextval(binder: Any, node: n.Func, es: list[E]) -> E:
    name = binder.cast(es[0], types.VARCHAR)
    return E(f"{binder.engine.volatile('nextval')}({name.sql})",
             types.BIGINT)


def _columns(binder: Any, node: n.Func) -> E:
    fail(CatalogException, "COLUMNS() is not supported in this place")


def _unnest(binder: Any, node: n.Func) -> E:
    scope = binder.scope
    if not scope.may_unnest:
        lacks("unnest() here", "use it alone in SELECT, or in FROM")
    e = binder.bind(node.args[0])
    if e.type.id != "LIST":
        no_match("unnest", [e])
    if scope.unnested or len(node.args) != 1:
        lacks("several unnest() in one SELECT")
    name = binder.fresh("u")
    scope.unnested.append(f"json_each({e.sql}) AS {name}")
    return E(f"{name}.value", e.type.args[0])


SPECIAL: dict[str, Callable[..., E]] = {
    "coalesce": _coalesce, "ifnull": _coalesce, "nullif": _nullif,
    "greatest": _extreme("greatest"), "least": _extreme("least"),
    "concat": _concat, "concat_ws": _concat_ws, "typeof": _typeof,
    "like_escape": _escape("LIKE"), "not_like_escape": _escape("NOT LIKE"),
    "ilike_escape": _escape("LIKE"), "not_ilike_escape": _escape("NOT LIKE"),
    "format": _written(format_), "printf": _written(printf),
    "version": lambda binder, node, es: E("'v1.1.3'", types.VARCHAR),
    "random": _random, "nextval": _nextval,
}
RAW: dict[str, Callable[..., E]] = {"if": _if, "columns": _columns,
                                    "unnest": _unnest}
TABLE: dict[str, list[tuple]] = {}


def _fill() -> None:
    from ._lists import LIST_RAW, LIST_SPECIAL, LISTS
    from ._maths import MATH_SPECIAL
    from ._moments import MOMENT_SPECIAL, MOMENTS
    for table in (STRINGS, MATHS, MOMENTS, LISTS):
        for names, rows in table.items():
            for name in names.split():
                TABLE.setdefault(name, []).extend(rows)
    for special in (MATH_SPECIAL, MOMENT_SPECIAL, LIST_SPECIAL):
        for names, function in special.items():
            for name in names.split():
                SPECIAL[name] = function
    for names, function in LIST_RAW.items():
        for name in names.split():
            RAW[name] = function


_fill()
__all__ = ["bind_function", "bind_bound", "FLOATS", "T"]
