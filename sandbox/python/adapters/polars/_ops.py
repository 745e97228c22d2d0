"""_ops - operations on each value of a column."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from . import _math, _store as store
from . import _types as t
from ._aggs import made
from ._groups import codes
from ._registry import each
from ._series import Series, as_series, concat
from .exceptions import InvalidOperationError, not_here


def _numbers(s: Any, word: str) -> Any:
    if not (s.dtype.is_numeric() or isinstance(s.dtype, t.Boolean)):
        raise InvalidOperationError(f"`{word}` operation not supported for "
                                    f"dtype `{s.dtype.text()}`")
    return s._v


def _half_away(values: Any, decimals: int) -> Any:
    """Rounded, with halves away from zero."""
    scale = 10.0 ** decimals
    scaled = values * scale
    found = np.where(np.isfinite(scaled),
                     np.copysign(np.floor(np.abs(scaled) + 0.5), scaled),
                     scaled)
    return found / scale


@each("round")
def _round(s: Any, decimals: int = 0) -> Any:
    values = _numbers(s, "round")
    if not s.dtype.is_float():
        return s
    return s._with(_half_away(values, decimals).astype(s.dtype.numpy), s._m)


@each("round_sig_figs")
def _round_sig_figs(s: Any, digits: int) -> Any:
    values = _numbers(s, "round_sig_figs").astype("f8")
    with np.errstate(all="ignore"):
        place = digits - 1 - np.floor(np.log10(np.abs(values)))
        scale = 10.0 ** np.where(np.isfinite(place), place, 0)
    return s._with((_half_away(values * scale, 0) / scale)
                   .astype(s.dtype.numpy), s._m)


@each("floor")
def _floor(s: Any) -> Any:
    return s._with(np.floor(s._v), s._m) if s.dtype.is_float() else s


@each("ceil")
def _ceil(s: Any) -> Any:
    return s._with(np.ceil(s._v), s._m) if s.dtype.is_float() else s


@each("abs")
def _abs(s: Any) -> Any:
    return s._with(np.abs(s._v), s._m)


@each("sign")
def _sign(s: Any) -> Any:
    return s._with(np.sign(_numbers(s, "sign")), s._m)


@each("neg")
def _neg(s: Any) -> Any:
    return s._with(-s._v, s._m)


@each("not_")
def _not(s: Any) -> Any:
    return ~s


def _float_function(name: str, how: Callable[[Any], Any]) -> None:
    def run(s: Any) -> Any:
        values = _numbers(s, name)
        kind = s.dtype if s.dtype.is_float() else t.Float64()
        with np.errstate(all="ignore"):
            return made(s, kind, how(values.astype(kind.numpy)), s._m)
    each(name)(run)


for _name in ("sqrt", "cbrt", "exp", "log10", "log1p", "sin", "cos", "tan",
              "sinh", "cosh", "tanh", "degrees", "radians"):
    _float_function(_name, getattr(np, _name))
for _name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
    _float_function("arc" + _name, getattr(np, "arc" + _name))


@each("log")
def _log(s: Any, base: float = math.e) -> Any:
    values = _numbers(s, "log").astype("f8")
    with np.errstate(all="ignore"):
        found = np.log(values)
        if base != math.e:
            found = {2: np.log2, 10: np.log10}.get(
                base, lambda x: np.log(x) / math.log(base))(values)
    return made(s, t.Float64, found, s._m)


def _pair(word: str, how: Any) -> None:
    def run(s: Any, other: Any) -> Any:
        return how(s, as_series(other))
    each(word)(run)


for _name, _word in (("add", "add"), ("sub", "sub"), ("mul", "mul"),
                     ("truediv", "truediv"), ("floordiv", "floordiv"),
                     ("mod", "mod"), ("pow", "pow")):
    _pair(_name, lambda a, b, word=_word: _math.arithmetic(word, a, b))
for _name in _math.COMPARE:
    _pair(_name, lambda a, b, word=_name: _math.compare(word, a, b))
for _name in ("and_", "or_", "xor"):
    _pair(_name, lambda a, b, word=_name: _math.logic(word, a, b))
for _name in ("eq", "ne"):
    _pair(_name + "_missing",
          lambda a, b, word=_name: _math.missing_aware(word, a, b))


# -- nulls and NaN


@each("is_null")
def _is_null(s: Any) -> Any:
    return made(s, t.Boolean, s._nulls().copy())


@each("is_not_null")
def _is_not_null(s: Any) -> Any:
    return made(s, t.Boolean, ~s._nulls())


def _float_test(name: str, how: Any, other: bool) -> None:
    def run(s: Any) -> Any:
        if not s.dtype.is_float():
            _numbers(s, name)
            return made(s, t.Boolean, np.full(len(s), other), s._m)
        return made(s, t.Boolean, how(s._v), s._m)
    each(name)(run)


_float_test("is_nan", np.isnan, False)
_float_test("is_not_nan", lambda v: ~np.isnan(v), True)
_float_test("is_finite", np.isfinite, True)
_float_test("is_infinite", np.isinf, False)


@each("fill_nan")
def _fill_nan(s: Any, value: Any) -> Any:
    if not s.dtype.is_float():
        return s
    return choose(made(s, t.Boolean, np.isnan(s._v) & ~s._nulls()),
                  as_series(value), s).alias(s.name)


@each("clip")
def _clip(s: Any, lower_bound: Any = None, upper_bound: Any = None) -> Any:
    found = s
    for bound, word in ((lower_bound, "lt"), (upper_bound, "gt")):
        if bound is not None:
            bound = as_series(bound).cast(s.dtype)
            over = _math.compare(word, s, bound)
            if s.dtype.is_float():      # NaN stays
                over = over & ~made(s, t.Boolean, np.isnan(s._v))
            found = choose(over, bound, found)
    return found.alias(s.name)


@each("is_between", "lower_bound", "upper_bound")
def _is_between(s: Any, lower_bound: Any, upper_bound: Any,
                closed: str = "both") -> Any:
    low = "ge" if closed in ("both", "left") else "gt"
    high = "le" if closed in ("both", "right") else "lt"
    if closed not in ("both", "left", "right", "none"):
        raise ValueError("`closed` must be one of {'both', 'left', 'right', "
                         f"'none'}}, got {closed!r}")
    return _math.compare(low, s, as_series(lower_bound)) & \
        _math.compare(high, s, as_series(upper_bound))


def _members(s: Any, other: Any) -> Any:
    other = other if isinstance(other, Series) else Series("", list(other))
    if isinstance(other.dtype, t.List) and not isinstance(s.dtype, t.List):
        return None, other
    if isinstance(other.dtype, t.Null):
        return s.clear(), other
    kind = t.supertype(s.dtype, other.dtype)
    if kind is None:
        raise InvalidOperationError(
            f"`is_in` cannot check for {other.dtype!r} values in "
            f"{s.dtype!r} data")
    return other.cast(kind), s.cast(kind)


@each("is_in")
def _is_in(s: Any, other: Any) -> Any:
    if isinstance(other, (set, frozenset, dict)):
        other = list(other)
    found, mine = _members(s, other)
    if found is None:
        values = [x is not None and one is not None and x in one for x, one
                  in zip(s.to_list(), mine._spread(len(s)).to_list())]
        return made(s, t.Boolean, np.array(values, bool), s._m)
    if not len(found):
        return made(s, t.Boolean, np.zeros(len(s), bool), s._m)
    both = codes(concat([mine, found]))
    have = both[len(s):]
    return made(s, t.Boolean, np.isin(both[:len(s)], have[have >= 0]), s._m)


# -- choices


def common_kind(many: list[Any]) -> Any:
    """The type of columns of which one is chosen."""
    kind: Any = None
    for one in sorted(many, key=lambda one: one._weak):
        if kind is None or kind == one.dtype:
            kind = one.dtype
        elif one._weak and one._m is None and len(one) and \
                one.dtype.is_numeric() and kind.is_numeric():
            kind = _math.common(Series._of("", kind, np.zeros(
                1, kind.numpy)), one)
        else:
            found = t.supertype(kind, one.dtype)
            if found is None and t.is_text(one.dtype):
                found = one.dtype
            elif found is None and t.is_text(kind):
                found = kind
            kind = found
        if kind is None:
            raise InvalidOperationError(
                "failed to determine supertype of the values")
    return kind


def choose(test: Any, yes: Any, no: Any) -> Any:
    """YES where TEST is true, and NO where it is false or null."""
    kind = common_kind([yes, no])
    yes, no = yes.cast(kind), no.cast(kind)
    length = max(len(one) for one in (test, yes, no))
    if 0 in (len(test), len(yes), len(no)):
        length = 0
    test, yes, no = (one._spread(length) for one in (test, yes, no))
    truth = test._v.astype(bool) & ~test._nulls()
    values = np.where(truth, yes._v, no._v)
    mask = None
    if yes._m is not None or no._m is not None:
        mask = store.any_null(np.where(truth, yes._nulls(), no._nulls()))
    return Series._of(yes.name, kind, values, mask)


@each("_when")
def _when(test: Any, yes: Any, no: Any) -> Any:
    if not isinstance(test.dtype, (t.Boolean, t.Null)):
        raise InvalidOperationError("predicate must be of type `bool`, got "
                                    f"`{test.dtype.text()}`")
    test = test.cast(t.Boolean)
    no = as_series(no)
    found = choose(test, yes, no)
    found._weak = False
    return found


def coalesce(*many: Any) -> Any:
    found = many[-1]
    for one in reversed(many[:-1]):
        found = choose(~_is_null(one), one, found)
    return found.alias(many[0].name)


each("_coalesce")(coalesce)


@each("replace")
def _replace(s: Any, old: Any, new: Any = None) -> Any:
    if isinstance(old, dict):
        old, new = list(old), list(old.values())
    return _mapped(s, old, new, s, s.dtype)


@each("replace_strict")
def _replace_strict(s: Any, old: Any, new: Any = None, *,
                    default: Any = Ellipsis, return_dtype: Any = None) -> Any:
    if isinstance(old, dict):
        old, new = list(old), list(old.values())
    if default is Ellipsis:
        old_list = list(old) if isinstance(old, (list, tuple, Series)) \
            else [old]
        known = _is_in(s, old_list + [None])
        if not (known._v | s._nulls()).all():
            raise InvalidOperationError(
                "incomplete mapping specified for `replace_strict`\n\nHint: "
                "Pass a `default` value to set unmapped values.")
        default = None
    return _mapped(s, old, new, as_series(default), None, return_dtype)


def _mapped(s: Any, old: Any, new: Any, rest: Any, keep: Any,
            wanted: Any = None) -> Any:
    many = isinstance(old, (list, tuple, Series))
    old = list(old) if many else [old]
    single = not isinstance(new, (list, tuple, Series))
    new = Series("", [new] * len(old) if single else list(new))
    if len(new) == 1:
        new = new._spread(len(old))
    keys = Series("", old)
    kind = t.supertype(s.dtype, keys.dtype)
    if kind is None:
        raise InvalidOperationError(f"cannot replace {keys.dtype!r} values in "
                                    f"{s.dtype!r} data")
    both = codes(concat([s.cast(kind), keys.cast(kind)]))
    place = {code: at for at, code in enumerate(both[len(s):].tolist())}
    rows = np.array([place.get(code, -1) for code in
                     both[:len(s)].tolist()], "i8")
    if keep is not None:
        new = new.cast(keep)
    found = new._take_or_null(rows)
    found = choose(made(s, t.Boolean, rows >= 0), found, rest)
    found = found.alias(s.name)
    return found if wanted is None else found.cast(wanted)


@each("map_elements")
def _map_elements(s: Any, function: Callable[[Any], Any],
                  return_dtype: Any = None, *, skip_nulls: bool = True,
                  pass_name: bool = False, strategy: str = "thread_local",
                  returns_scalar: bool = False) -> Any:
    if pass_name:
        raise not_here("map_elements(pass_name=True)")
    if isinstance(s.dtype, t.List):
        plain = [one and Series("", one, s.dtype.inner) if one is not None
                 else None for one in s._v]
    else:
        plain = s.to_list()
    found = [None if one is None and skip_nulls else function(one)
             for one in plain]
    if return_dtype is None:
        first = next((one for one in found if one is not None), None)
        if isinstance(first, (int, float)) and not isinstance(first, bool):
            made_ = Series(s.name, found, strict=False)
            return made_
    return Series(s.name, found, return_dtype, strict=False)


@each("cut")
def _cut(s: Any, breaks: Any, *, labels: Any = None,
         left_closed: bool = False, include_breaks: bool = False) -> Any:
    if include_breaks:
        raise not_here("cut(include_breaks=True)")
    breaks = [float(one) for one in breaks]
    if labels is None:
        ends = ["-inf", *map(_plain, breaks), "inf"]
        pair = "[{}, {})" if left_closed else "({}, {}]"
        labels = [pair.format(*one) for one in zip(ends, ends[1:])]
    elif len(labels) != len(breaks) + 1:
        raise InvalidOperationError("provide len(quantiles) + 1 labels")
    side: Any = "right" if left_closed else "left"
    rows = np.searchsorted(breaks, s._v.astype("f8"), side)
    found = Series(s.name, list(labels), t.Enum(labels))._take(rows)
    return found._of(s.name, t.Categorical(), found._v, None) if s._m is None \
        else found._take_or_null(np.where(s._m, -1, np.arange(len(s))))._with(
            np.where(s._m, None, found._v), s._m, t.Categorical())


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


@each("set_sorted")
def _set_sorted(s: Any, *, descending: bool = False) -> Any:
    return s


@each("rechunk")
def _rechunk(s: Any) -> Any:
    return s


@each("shrink_dtype")
def _shrink_dtype(s: Any) -> Any:
    raise not_here("shrink_dtype", "cast")


@each("to_physical")
def _to_physical(s: Any) -> Any:
    if isinstance(s.dtype, t.Date):
        return s.cast(t.Int32)
    if s.dtype.is_temporal():
        return s.cast(t.Int64)
    if isinstance(s.dtype, (t.Categorical, t.Enum)):
        return made(s, t.UInt32, codes(s).astype("u4"), s._m)
    return s


@each("hash")
def _hash(s: Any, seed: int = 0) -> Any:
    raise not_here("hash")


