"""_describe - describe() and glimpse()."""

from __future__ import annotations

from typing import Any

from . import _types as t
from ._print import cell
from ._series import Series


def _numbers(one: Any, percentiles: Any, how: str) -> list[Any]:
    kind = one.dtype
    quantiles = [one.quantile(q, how) if kind.is_numeric() or
                 kind.is_temporal() else None for q in percentiles]
    if kind.is_numeric():
        return [one.mean(), one.std(), one.min(), *quantiles, one.max()]
    none = [None] * len(percentiles)
    if isinstance(kind, t.Boolean):
        return [one.mean(), None, one.min(), *none, one.max()]
    if kind.is_temporal():
        return [one.mean(), None, one.min(), *quantiles, one.max()]
    if isinstance(kind, t.String):
        return [None, None, one.min(), *none, one.max()]
    return [None, None, None, *none, None]


def _texts(one: Any, values: list[Any]) -> list[Any]:
    from ._store import kind_of

    return [None if x is None else x if isinstance(x, str) else
            cell(x, kind_of(x)) for x in values]


def describe(frame: Any, percentiles: Any, how: str) -> Any:
    if not frame.width:
        raise TypeError("cannot describe a DataFrame that has no columns")
    if percentiles is None:
        percentiles = []
    elif isinstance(percentiles, float):
        percentiles = [percentiles]
    names = ["count", "null_count", "mean", "std", "min",
             *[f"{q * 100:g}%" for q in percentiles], "max"]
    found = [Series("statistic", names)]
    for one in frame._columns.values():
        counts = [len(one) - one.null_count(), one.null_count()]
        values = _numbers(one, percentiles, how)
        if one.dtype.is_numeric() or isinstance(one.dtype, t.Boolean):
            found.append(Series(one.name, [
                None if x is None else float(x) for x in counts + values],
                t.Float64))
        else:
            found.append(Series(one.name, _texts(
                one, [*map(str, counts), *values]), t.String))
    return frame._of(found)


def glimpse(frame: Any, count: int, longest: int) -> str:
    """A line for each column."""
    rows = []
    for name, one in frame._columns.items():
        values = ", ".join(_shown(x, one.dtype) for x in
                           one[:count].to_list()) \
            if len(one) else ""
        name = name if len(name) <= longest else name[:longest - 1] + "…"
        rows.append((name, f"<{one.dtype.text()}>", values))
    wide = max((len(name) for name, _, _ in rows), default=0)
    kinds = max((len(kind) for _, kind, _ in rows), default=0)
    lines = [f"$ {name:<{wide}} {kind:>{kinds}} {values}"
             for name, kind, values in rows]
    return (f"Rows: {frame.height}\nColumns: {frame.width}\n" +
            "\n".join(lines) + "\n")


def _shown(value: Any, kind: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, (bool, int, float)):
        return str(value)
    return cell(value, kind)
