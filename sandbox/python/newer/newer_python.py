"""newer_python - names of newer Pythons' standard library.

As newer.py for Python itself: programs are written for Python 3.12 to 3.14,
while Debian 12 has 3.11. Only names that are missing are added, and only to
modules that are imported.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .stand_ins import stand_in

import enum
import functools
import inspect
import itertools
import math
import os
import weakref
from typing import Any, Callable, Iterable, Iterator

_islice, _walk, _unlink = itertools.islice, os.walk, os.unlink
_IntEnum = enum.IntEnum
_MONTHS = ("JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER "
           "OCTOBER NOVEMBER DECEMBER")
_DAYS = "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY"
_FEW = 32           # trials that are drawn one by one


def add(place: Any, **values: Any) -> None:
    """Give PLACE, a module or a class, those of VALUES that it lacks."""
    for name, value in values.items():
        if name not in vars(place):
            setattr(place, name, stand_in(value, place, name))


def lacks(function: Any, name: str) -> bool:
    """Whether FUNCTION has no parameter NAME."""
    return name not in inspect.signature(function).parameters


def replace(place: Any, name: str, new: Any) -> None:
    """Let NEW stand for PLACE's function NAME, under its signature."""
    functools.update_wrapper(new, getattr(place, name))
    setattr(place, name, stand_in(new, place, name))


# -- itertools, math, random, statistics, fractions

def _batched(iterable: Iterable[Any], n: int, *,
             strict: bool = False) -> Iterator[tuple[Any, ...]]:
    if n < 1:
        raise ValueError("n must be at least one")

    def batches() -> Iterator[tuple[Any, ...]]:
        rest = iter(iterable)
        while batch := tuple(_islice(rest, n)):
            if strict and len(batch) < n:
                raise ValueError("batched(): incomplete batch")
            yield batch

    return batches()


def _sumprod(p: Iterable[Any], q: Iterable[Any], /) -> Any:
    try:
        products = [a * b for a, b in zip(p, q, strict=True)]
    except ValueError:
        raise ValueError("Inputs are not the same length") from None
    if products and all(type(one) in (int, float) for one in products) and \
            any(type(one) is float for one in products):
        return math.fsum(products)
    return sum(products)


def _fma(x: float, y: float, z: float, /) -> float:
    if not all(map(math.isfinite, (x, y, z))):
        return x * y + z
    (a, b), (c, d), (e, f) = (float(v).as_integer_ratio() for v in (x, y, z))
    exact = a * c * f + e * b * d
    return exact / (b * d * f) if exact else x * y + z


def _binomialvariate(self: Any, n: int = 1, p: float = 0.5) -> int:
    """The successes of N trials: halved by a beta variate until few are
    left."""
    if n < 0:
        raise ValueError("n must be non-negative")
    if not 0.0 <= p <= 1.0:
        raise ValueError("p must be in the range 0.0 <= p <= 1.0")
    found = 0
    while n > _FEW:
        middle = n // 2 + 1
        share = self.betavariate(middle, n + 1 - middle)
        if share >= p:
            n, p = middle - 1, p / share
        else:
            found, n = found + middle, n - middle
            p = (p - share) / (1.0 - share)
    return found + sum(self.random() < p for _ in range(n))


def _change_random(random: Any) -> None:
    add(random.Random, binomialvariate=_binomialvariate)
    add(random, binomialvariate=random._inst.binomialvariate)


def _ranks(values: Any) -> list[float]:
    """The ranks of VALUES from 1; equal ones share their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, at = [0.0] * len(values), 0
    while at < len(order):
        same = at
        while same + 1 < len(order) and \
                values[order[same + 1]] == values[order[at]]:
            same += 1
        for place in order[at:same + 1]:
            ranks[place] = (at + same) / 2 + 1
        at = same + 1
    return ranks


def _kde(data: Any, h: float, kernel: str = "normal", *,
         cumulative: bool = False) -> Callable[[float], float]:
    """statistics.kde(), with its normal kernel alone."""
    if kernel not in ("normal", "gauss"):
        raise ValueError(f"Only the normal kernel is here, not {kernel!r}")
    if h <= 0.0:
        raise ValueError(f"Bandwidth h must be positive, not {h=!r}")
    points = list(map(float, data))
    if cumulative:
        return lambda x: sum(math.erfc((point - x) / (h * math.sqrt(2)))
                             for point in points) / (2 * len(points))
    scale = len(points) * h * math.sqrt(2 * math.pi)
    return lambda x: sum(math.exp(-((x - point) / h) ** 2 / 2)
                         for point in points) / scale


def _change_statistics(statistics: Any) -> None:
    add(statistics, kde=_kde)
    plain = statistics.correlation
    if not lacks(plain, "method"):
        return

    def correlation(x: Any, y: Any, /, *, method: str = "linear") -> float:
        if method not in ("linear", "ranked"):
            raise ValueError(f"Unknown method: {method!r}")
        if method == "ranked":
            x, y = _ranks(list(x)), _ranks(list(y))
        return float(plain(x, y))

    replace(statistics, "correlation", correlation)


def _change_fractions(module: Any) -> None:
    def __format__(self: Any, format_spec: str) -> str:
        if format_spec[-1:] in tuple("eEfFgG%"):
            return format(float(self), format_spec)
        return format(str(self), format_spec)

    add(module.Fraction, __format__=__format__)


# -- typing, warnings, copy, calendar, re, os

def _override(method: Any, /) -> Any:
    try:
        method.__override__ = True
    except (AttributeError, TypeError):
        pass
    return method


class _ReadOnly:
    """typing.ReadOnly[T], which is T: only type checkers tell them apart."""

    def __class_getitem__(cls, item: Any) -> Any:
        return item


def _change_typing(typing: Any) -> None:
    add(typing, override=_override, ReadOnly=_ReadOnly,
        TypeIs=typing.TypeGuard)


def _change_warnings(warnings: Any) -> None:
    def deprecated(message: str, /, *, category: Any = DeprecationWarning,
                   stacklevel: int = 1) -> Any:
        def mark(thing: Any, /) -> Any:
            thing.__deprecated__ = message
            if category is None or isinstance(thing, type):
                return thing

            @functools.wraps(thing)
            def call(*args: Any, **options: Any) -> Any:
                warnings.warn(message, category, stacklevel + 1)
                return thing(*args, **options)

            return call
        return mark

    add(warnings, deprecated=deprecated)


def _copy_with(thing: Any, /, **changes: Any) -> Any:
    """copy.replace()"""
    kind = type(thing)
    if hasattr(kind, "__replace__"):
        return kind.__replace__(thing, **changes)
    if hasattr(kind, "__dataclass_fields__"):
        import dataclasses
        return dataclasses.replace(thing, **changes)
    for name in ("_replace", "replace"):
        if hasattr(kind, name) and not isinstance(thing, (str, bytes)):
            return getattr(thing, name)(**changes)
    raise TypeError(f"replace() does not support {kind.__name__} objects")


def _change_calendar(calendar: Any) -> None:
    month, day = (_IntEnum(name, names, start=start, module="calendar")
                  for name, names, start in (("Month", _MONTHS, 1),
                                             ("Day", _DAYS, 0)))
    add(calendar, Month=month, Day=day, **{
        one.name: one for kind in (month, day) for one in kind})


def _process_cpu_count() -> int:
    return len(os.sched_getaffinity(0))


# -- files

def _change_paths(pathlib: Any) -> None:
    def walk(self: Any, top_down: bool = True, on_error: Any = None,
             follow_symlinks: bool = False) -> Iterator[Any]:
        for root, folders, names in _walk(self, top_down, on_error,
                                          follow_symlinks):
            yield type(self)(root), folders, names

    add(pathlib.Path, walk=walk)


def _change_shutil(shutil: Any) -> None:
    plain = shutil.rmtree
    if not lacks(plain, "onexc"):
        return

    def rmtree(path: Any, ignore_errors: bool = False, onerror: Any = None,
               *, onexc: Any = None, dir_fd: Any = None) -> None:
        if onexc is not None:
            def onerror(function: Any, path: Any, told: Any) -> None:
                onexc(function, path, told[1])
        plain(path, ignore_errors, onerror, dir_fd=dir_fd)

    rmtree.avoids_symlink_attacks = (  # type: ignore[attr-defined]
        plain.avoids_symlink_attacks)
    replace(shutil, "rmtree", rmtree)


def _remove(path: str) -> None:
    try:
        _unlink(path)
    except FileNotFoundError:
        pass


def _change_folders(tempfile: Any) -> None:
    """TemporaryDirectory's delete=."""
    folder = tempfile.TemporaryDirectory
    begin, leave = folder.__init__, folder.__exit__
    if not lacks(begin, "delete"):
        return

    def __init__(self: Any, *args: Any, delete: bool = True,
                 **options: Any) -> None:
        begin(self, *args, **options)
        self._delete = delete
        if not delete:
            self._finalizer.detach()

    def __exit__(self: Any, exc: Any, value: Any, tb: Any) -> None:
        if self._delete:
            leave(self, exc, value, tb)

    replace(folder, "__init__", __init__)
    replace(folder, "__exit__", __exit__)


def _change_temporary(tempfile: Any) -> None:
    """That, and NamedTemporaryFile's delete_on_close=."""
    _change_folders(tempfile)
    plain = tempfile.NamedTemporaryFile
    if not lacks(plain, "delete_on_close"):
        return

    class Kept(tempfile._TemporaryFileWrapper):  # type: ignore[misc]
        def __exit__(self, *args: Any) -> Any:
            found = super().__exit__(*args)
            _remove(self.name)
            return found

    def NamedTemporaryFile(*args: Any, delete: bool = True,
                           delete_on_close: bool = True,
                           **options: Any) -> Any:
        if not delete or delete_on_close:
            return plain(*args, delete=delete, **options)
        found = plain(*args, delete=False, **options)
        found.__class__ = Kept
        weakref.finalize(found, _remove, found.name)
        return found

    replace(tempfile, "NamedTemporaryFile", NamedTemporaryFile)


when_imported({
    "calendar": _change_calendar,
    "copy": lambda copy: add(copy, replace=_copy_with),
    "fractions": _change_fractions,
    "itertools": lambda module: add(module, batched=_batched),
    "math": lambda module: add(module, fma=_fma, sumprod=_sumprod),
    "os": lambda module: add(module, process_cpu_count=_process_cpu_count),
    "pathlib": _change_paths,
    "random": _change_random,
    "re": lambda module: add(module, PatternError=module.error),
    "shutil": _change_shutil,
    "statistics": _change_statistics,
    "tempfile": _change_temporary,
    "typing": _change_typing,
    "warnings": _change_warnings,
})
