"""_cast - columns of one type as another."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any, Callable

import numpy as np

from . import _store as store
from . import _types as t
from .exceptions import InvalidOperationError


def _failed(old: Any, new: Any, name: str, bad: list[Any]) -> Exception:
    from ._print import cell

    shown = ", ".join(cell(one, old, True) for one in bad[:10])
    return InvalidOperationError(
        f"conversion from `{old.text()}` to `{new.text()}` failed in column "
        f"'{name}' for {len(bad)} out of {{total}} values: [{shown}]")


def _checked(old: Any, values: Any, mask: Any, new: Any, bad: Any,
             strict: bool, name: str) -> Any:
    """The mask after a cast in which the values at BAD failed."""
    if mask is not None:
        bad = bad & ~mask
    if not bad.any():
        return mask
    if strict:
        picked = store.to_list(old, values[bad], None)
        text = str(_failed(old, new, name, list(dict.fromkeys(picked))))
        raise InvalidOperationError(
            text.replace(f"for {len(dict.fromkeys(picked))} out",
                         f"for {int(bad.sum())} out")
            .replace("{total}", str(len(values))))
    return bad if mask is None else mask | bad


def _numbers(old: Any, values: Any, mask: Any, new: Any, strict: bool,
             name: str) -> Any:
    if new.is_integer() and old.is_numeric():
        limits = np.iinfo(new.numpy)
        with np.errstate(invalid="ignore"):
            if old.is_float():
                bad = ~((values > float(limits.min) - 1) &
                        (values < float(limits.max) + 1))
            else:
                bad = np.zeros(len(values), bool)
                if int(limits.max) < np.iinfo(old.numpy).max:
                    bad |= values > limits.max
                if int(limits.min) > np.iinfo(old.numpy).min:
                    bad |= values < limits.min
            mask = _checked(old, values, mask, new, bad, strict, name)
            if bad.any():
                values = np.where(bad, 0, values)
    if isinstance(new, t.Boolean):
        return new, values != 0, mask
    with np.errstate(invalid="ignore", over="ignore"):
        return new, values.astype(new.numpy), mask


def _each(old: Any, values: Any, mask: Any, new: Any, strict: bool,
          name: str, change: Callable[[Any], Any]) -> Any:
    """CHANGE of each value; where it fails is null, or an error."""
    found: list[Any] = []
    bad = np.zeros(len(values), bool)
    known: dict[Any, Any] = {}
    for at, one in enumerate(values.tolist()):
        if one is None or (mask is not None and mask[at]):
            found.append(None)
            continue
        if one not in known:
            try:
                known[one] = change(one)
            except (ValueError, TypeError, OverflowError):
                known[one] = None
        found.append(known[one])
        bad[at] = known[one] is None
    _checked(old, values, mask, new, bad, strict, name)
    return store.build(found, new)


def _integer(text: str) -> int:
    if not text.lstrip("+-").isdecimal() or not text.isascii():
        raise ValueError(text)
    return int(text)


def _float(text: str) -> float:
    if "_" in text or text != text.strip():
        raise ValueError(text)
    return float(text)


def _instant(text: str) -> Any:
    return dt.datetime.fromisoformat(text)


def _moment(text: str) -> Any:
    return dt.time.fromisoformat(text)



def _from_text(old: Any, values: Any, mask: Any, new: Any, strict: bool,
               name: str) -> Any:
    if t.is_text(new):
        if isinstance(new, t.Enum):
            bad = ~np.isin(values.astype(str), list(new.categories))
            mask = _checked(old, values, mask, new, bad, strict, name)
            if mask is not None:
                values = np.where(mask, None, values)
        return new, values, mask
    if new.is_numeric():
        found = _plain_numbers(values, mask, new)
        if found is not None:
            return new, found, mask
    if new.is_integer():
        limits = np.iinfo(new.numpy)

        def change(text: str) -> Any:
            found = _integer(text)
            return found if limits.min <= found <= limits.max else None
    else:
        change = {"Date": dt.date.fromisoformat, "Datetime": _instant,
                  "Time": _moment, "Boolean": _flag_or_none}.get(
                      type(new).__name__, _float)
    return _each(old, values, mask, new, strict, name, change)


def _plain_numbers(values: Any, mask: Any, new: Any) -> Any:
    """The numbers, if all texts are some in the plainest way, else None."""
    texts = ["0" if one is None else one for one in values]
    every = "".join(texts)
    if "_" in every or not every.isascii() or len(every.split()) > 1 or \
            every != every.strip():
        return None
    try:
        found = np.array(list(map(int if new.is_integer() else float, texts)),
                         "i8" if new.is_integer() else "f8")
    except (ValueError, OverflowError):
        return None
    if new.is_integer() and len(found):
        limits = np.iinfo(new.numpy)
        if found.min() < limits.min or found.max() > limits.max:
            return None
    return found.astype(new.numpy)


def _flag_or_none(text: str) -> Any:
    return {"true": True, "false": False}.get(text)


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if 1e-5 <= abs(value) < 1e-4:
        return f"{Decimal(repr(value)):f}"
    return repr(value).replace("e+", "e").replace("e-0", "e-")


def to_text(old: Any, values: Any, mask: Any) -> Any:
    """Each value as the text that a cast makes of it."""
    plain = store.to_list(old, values, mask)
    make: Callable[[Any], str]
    if isinstance(old, t.Boolean):
        make = {True: "true", False: "false"}.__getitem__
    elif isinstance(old, t.Float32):
        make = lambda one: _float_text(float(str(np.float32(one))))
    elif old.is_float():
        make = _float_text
    elif isinstance(old, t.Datetime):
        digits = {"ms": 3, "us": 6, "ns": 6}[old.time_unit]

        def make(one: Any) -> str:
            whole = one.strftime("%Y-%m-%d %H:%M:%S.%f")
            more = "000" if old.time_unit == "ns" else ""
            zone = one.strftime("%z") if one.tzinfo else ""
            if zone:
                zone = f"{zone[:3]}:{zone[3:]}"
            return whole[:len(whole) - 6 + digits] + more + zone
    elif old.is_integer() or isinstance(old, t.Date):
        make = str
    else:
        from ._print import cell

        make = lambda one: cell(one, old)
    return store.objects([None if one is None else make(one)
                          for one in plain])


def _temporal(old: Any, values: Any, mask: Any, new: Any) -> Any:
    """From or to dates, times and durations; None if it cannot be."""
    if isinstance(old, t.Datetime) and isinstance(new, t.Time):
        from ._times import local
        nanos = local(old, values).astype("M8[ns]").astype("i8")
        return new, nanos % store.NS_DAY, mask
    if isinstance(old, t.Datetime) and isinstance(new, t.Date):
        from ._times import local
        return new, local(old, values).astype("M8[D]"), mask
    same = isinstance(old, (t.Date, t.Datetime)) and \
        isinstance(new, (t.Date, t.Datetime)) or \
        isinstance(old, t.Duration) and isinstance(new, t.Duration)
    if same:
        return new, values.astype(new.numpy), mask
    if new.is_temporal() and old.is_numeric():
        return new, values.astype("i8").astype(new.numpy), mask
    if old.is_temporal() and new.is_numeric():
        return new, values.astype("i8").astype(new.numpy), mask
    return None


def _nested(old: Any, values: Any, mask: Any, new: Any, strict: bool,
            name: str) -> Any:
    if isinstance(old, t.List) and isinstance(new, t.List):
        found: list[Any] = []
        for one in values:
            found.append(None if one is None else store.to_list(*cast(
                *store.build(one, old.inner), new.inner, strict, name)))
        return new, store.objects(found), mask
    if isinstance(old, t.Struct) and isinstance(new, t.Struct):
        return (new, *store.build(list(values), new)[1:])
    return None


def cast(old: Any, values: Any, mask: Any, new: Any, strict: bool = True,
         name: str = "") -> Any:
    """The type, values and mask of a column of OLD as NEW."""
    if old == new:
        return new, values, mask
    found = None
    if isinstance(old, t.Null):
        return store.build([None] * len(values), new)
    if isinstance(new, t.List) and not isinstance(old, t.List):
        plain = store.to_list(*cast(old, values, mask, new.inner))
        return store.build([[one] for one in plain], new)
    if t.is_text(old):
        found = _from_text(old, values, mask, new, strict, name)
    elif t.is_text(new) and not old.is_nested():
        text = to_text(old, values, mask)
        found = cast(t.String(), text, mask, new, strict, name)
    elif old.is_nested():
        found = _nested(old, values, mask, new, strict, name)
    elif old.is_temporal() or new.is_temporal():
        found = _temporal(old, values, mask, new)
    elif not t.is_object(old) and not t.is_object(new):
        found = _numbers(old, values, mask, new, strict, name)
    if found is None:
        raise InvalidOperationError(f"cannot cast from {old.text()} to "
                                    f"{new.text()}")
    return found
