"""_series - a column with a name.

The methods that are operations (_registry) are given to the class by _methods.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator

import numpy as np

from . import _math, _store as store
from . import _types as t
from ._cast import cast as cast_column
from .exceptions import (InvalidOperationError, OutOfBoundsError, ShapeError,
                         not_here)


def _slice_of(index: slice, length: int) -> Any:
    return np.arange(*index.indices(length))


class Series:
    """A column."""

    __slots__ = ("name", "dtype", "_v", "_m", "_weak")
    __hash__ = None  # type: ignore[assignment]
    _accessors = frozenset({"str", "dt", "list", "struct", "cat"})

    def __init__(self, name: Any = None, values: Any = None,
                 dtype: Any = None, *, strict: bool = True,
                 nan_to_null: bool = False) -> None:
        if values is None and not isinstance(name, (str, type(None))):
            name, values = "", name
        if isinstance(values, Series):
            name = values.name if name in (None, "") else name
            found = values if dtype is None else values.cast(dtype)
            made = (found.dtype, found._v, found._m)
        elif hasattr(values, "iloc"):
            from ._convert import of_pandas
            name = values.name if name is None and values.name else name
            made = of_pandas(values, dtype)
        else:
            values = [] if values is None else values
            if not isinstance(values, (list, np.ndarray)):
                values = list(values)
            made = store.build(values, dtype, strict, nan_to_null)
        self.name = "" if name is None else name
        self.dtype, self._v, self._m = made
        self._weak = False

    @classmethod
    def _of(cls, name: str, kind: Any, values: Any, mask: Any = None) -> Any:
        """A column of what is ready."""
        self = cls.__new__(cls)
        self.name, self.dtype, self._weak = name, kind, False
        self._v, self._m = values, mask
        return self

    @classmethod
    def full_null(cls, name: str, length: int, kind: Any) -> Any:
        return cls._of(name, *store.build([None] * length, kind))

    # -- its shape

    def __len__(self) -> int:
        return len(self._v)

    @property
    def shape(self) -> tuple[int]:
        return (len(self._v),)

    @property
    def flags(self) -> dict[str, bool]:
        raise not_here("Series.flags")

    def is_empty(self) -> bool:
        return not len(self._v)

    # -- other columns of the same values

    def alias(self, name: str) -> Any:
        return self._of(name, self.dtype, self._v, self._m)

    def rename(self, name: str) -> Any:
        return self.alias(name)

    def clone(self) -> Any:
        return self.alias(self.name)

    def clear(self, n: int = 0) -> Any:
        return self.full_null(self.name, n, self.dtype)

    def _with(self, values: Any, mask: Any = None, kind: Any = None) -> Any:
        return self._of(self.name, kind or self.dtype, values, mask)

    def _nulls(self) -> Any:
        return np.zeros(len(self._v), bool) if self._m is None else self._m

    def _take(self, rows: Any) -> Any:
        mask = None if self._m is None else store.any_null(self._m[rows])
        return self._with(self._v[rows], mask)

    def _take_or_null(self, rows: Any) -> Any:
        """The values at ROWS, and null at -1."""
        missing = rows < 0
        if not missing.any():
            return self._take(rows)
        if not len(self._v):
            return self.full_null(self.name, len(rows), self.dtype)
        values = self._v[rows]
        if values.dtype == object:
            values = store.objects(list(values))
            values[missing] = None
        mask = missing if self._m is None else missing | self._m[rows]
        return self._with(values, mask)

    def _spread(self, length: int) -> Any:
        """The one value, LENGTH times."""
        if len(self) == length:
            return self
        return self._take(np.zeros(length, "i8"))

    def cast(self, dtype: Any, *, strict: bool = True) -> Any:
        found = cast_column(self.dtype, self._v, self._m, t.as_dtype(dtype),
                            strict, self.name)
        return self._of(self.name, *found)

    def append(self, other: Any) -> Any:
        """Add OTHER's values at the end of this column."""
        found = concat([self, other])
        self._v, self._m, self.dtype = found._v, found._m, found.dtype
        return self

    extend = append

    # -- Python's values

    def to_list(self) -> list[Any]:
        return store.to_list(self.dtype, self._v, self._m)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __contains__(self, item: Any) -> bool:
        return item in self.to_list()

    def to_numpy(self, *, writable: bool = False, allow_copy: bool = True,
                 ) -> Any:
        from ._convert import to_numpy
        return to_numpy(self)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        found = self.to_numpy()
        return found if dtype is None else found.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any,
                        **more: Any) -> Any:
        """np.log(series) and the like: a column again."""
        if method != "__call__" or more:
            return NotImplemented
        columns = [one for one in inputs if isinstance(one, Series)]
        plain = [one._v if isinstance(one, Series) else one for one in inputs]
        if any(one.dtype == object for one in map(np.asarray, plain)):
            return NotImplemented
        with np.errstate(all="ignore"):
            found = ufunc(*plain)
        kind, values, mask = store.build(np.atleast_1d(found))
        return self._of(columns[0].name, kind, values, store.either(
            mask, *(one._m for one in columns)))

    def to_pandas(self) -> Any:
        from ._convert import to_pandas
        return to_pandas(self)

    def to_frame(self, name: Any = None) -> Any:
        from ._frame import DataFrame
        return DataFrame._of([self if name is None else self.alias(name)])

    def item(self, index: Any = None) -> Any:
        if index is None and len(self) != 1:
            raise ValueError("can only call '.item()' if the Series is of "
                             "length 1, or an explicit index is provided "
                             f"(Series is of length {len(self)})")
        return self[index or 0]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._take(_slice_of(index, len(self)))
        if isinstance(index, Series):
            index = index.to_list()
        if isinstance(index, (list, tuple, range, np.ndarray)):
            if len(index) and isinstance(index[0], (bool, np.bool_)):
                raise TypeError("cannot select elements using Sequence with "
                                "elements of type 'bool'")
            return self._take(np.asarray(index, "i8"))
        if isinstance(index, str):
            raise TypeError("cannot select elements using key of type 'str'")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of bounds for sequence of "
                             f"length {len(self)}")
        at = int(index) % len(self)
        found = self._take(np.array([at])).to_list()[0]
        if isinstance(self.dtype, t.List) and found is not None:
            return Series("", found, self.dtype.inner)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        rows = index if isinstance(index, (list, np.ndarray)) else [index]
        found = self.to_list()
        for at in rows:
            if not -len(found) <= at < len(found):
                raise OutOfBoundsError(f"index {at} is out of bounds")
            found[at] = value
        self._v, self._m = store.build(found, self.dtype)[1:]

    # -- looks

    def __repr__(self) -> str:
        from ._print import series_text
        return series_text(self)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from ._print import frame_html
        return frame_html(self.to_frame())

    def equals(self, other: Any, *, check_dtypes: bool = False,
               check_names: bool = False, null_equal: bool = True) -> bool:
        if len(self) != len(other) or check_names and \
                self.name != other.name or check_dtypes and \
                self.dtype != other.dtype:
            return False
        found = _math.missing_aware("eq", self, other) if null_equal \
            else _math.compare("eq", self, other)
        return found._m is None and bool(found._v.all())

    def __bool__(self) -> bool:
        raise TypeError(
            "the truth value of a Series is ambiguous\n\nHere are some things "
            "you might want to try:\n- instead of `if s`, use `if not "
            "s.is_empty()`\n- instead of `s1 and s2`, use `s1 & s2`\n- "
            "instead of `s1 or s2`, use `s1 | s2`\n- instead of `s in [y, z]`,"
            " use `s.is_in([y, z])`\n")

    # -- tables of values

    def value_counts(self, *, sort: bool = False, parallel: bool = False,
                     name: Any = None, normalize: bool = False) -> Any:
        from ._frame import DataFrame
        return DataFrame._of(counts_of(self, sort, name, normalize))

    def describe(self, percentiles: Any = (0.25, 0.5, 0.75),
                 interpolation: str = "nearest") -> Any:
        from ._describe import describe
        return describe(self.to_frame("value"), percentiles, interpolation)

    def to_dummies(self, separator: str = "_", *, drop_first: bool = False,
                   ) -> Any:
        return self.to_frame().to_dummies(separator=separator,
                                          drop_first=drop_first)

    def hist(self, *_: Any, **__: Any) -> Any:
        raise not_here("Series.hist", "numpy.histogram")

    def sample(self, n: Any = None, *, fraction: Any = None,
               with_replacement: bool = False, shuffle: bool = False,
               seed: Any = None) -> Any:
        return self.to_frame().sample(
            n, fraction=fraction, with_replacement=with_replacement,
            shuffle=shuffle, seed=seed).to_series()

    def scatter(self, indices: Any, values: Any) -> Any:
        found = self.to_list()
        many = isinstance(values, (list, tuple, Series, np.ndarray))
        rows = [indices] if isinstance(indices, int) else list(indices)
        for at, value in zip(rows, values if many else [values] * len(rows)):
            found[at] = value
        return Series(self.name, found, self.dtype)

    def dot(self, other: Any) -> Any:
        return (self * as_series(other)).sum()

    def bitwise_invert(self) -> Any:
        return ~self


def counts_of(s: Series, sort: bool, name: Any, normalize: bool) -> list[Any]:
    """The values that S has, and how many there are of each."""
    from ._groups import Groups

    groups = Groups.by([s])
    rows = groups.order[groups.starts] if len(s) else np.zeros(0, "i8")
    sizes = groups.sizes if len(s) else np.zeros(0, "i8")
    if sort:
        order = np.argsort(-sizes, kind="stable")
        rows, sizes = rows[order], sizes[order]
    counts = Series._of("", t.UInt32(), sizes.astype("u4"))
    if normalize:
        counts = Series._of("", t.Float64(), sizes / max(len(s), 1))
    counts.name = name or ("proportion" if normalize else "count")
    if counts.name == s.name:
        from .exceptions import DuplicateError
        raise DuplicateError(f"using `value_counts` on a column/series named "
                             f"'{s.name}' would lead to duplicate column "
                             "names; change `name` to fix")
    return [s._take(rows), counts]


def as_series(value: Any) -> Series:
    """VALUE as a column; a Python scalar is of length 1, and gives way."""
    if isinstance(value, Series):
        return value
    if isinstance(value, (list, tuple, np.ndarray, range)):
        return Series("", value)
    if isinstance(value, int) and not isinstance(value, bool) and \
            -2 ** 31 <= value < 2 ** 31:
        found = Series("literal", [value], t.Int32)
    else:
        found = Series("literal", [value])
    found._weak = True
    return found


def concat(many: Iterable[Series], relaxed: bool = False) -> Series:
    """One column after the other, named as the first."""
    many = list(many)
    kind: Any = many[0].dtype
    for one in many[1:]:
        found = kind if kind == one.dtype else t.supertype(kind, one.dtype)
        if found is None or not relaxed and found != kind and \
                not isinstance(kind, t.Null):
            from .exceptions import SchemaError
            raise SchemaError(f"type {one.dtype!r} is incompatible with "
                              f"expected type {kind!r}")
        kind = found
    many = [one.cast(kind) for one in many]
    if t.is_object(kind):
        values = store.objects([x for one in many for x in one._v])
    else:
        values = np.concatenate([one._v for one in many])
    mask = None
    if any(one._m is not None for one in many):
        mask = np.concatenate([one._nulls() for one in many])
    return Series._of(many[0].name, kind, values, mask)


def _binary(how: Any, word: str, swap: bool = False) -> Any:
    def method(self: Series, other: Any) -> Any:
        from ._expr import Expr
        if isinstance(other, Expr):
            return NotImplemented
        other = as_series(other)
        if not swap:
            return how(word, self, other)
        return how(word, other, self).alias(self.name)
    return method


def _give_operators() -> None:
    for word in _math.WORDS:
        setattr(Series, f"__{word}__", _binary(_math.arithmetic, word))
        setattr(Series, f"__r{word}__", _binary(_math.arithmetic, word, True))
    for word in _math.COMPARE:
        setattr(Series, f"__{word}__", _binary(_math.compare, word))
    for word in ("and", "or", "xor"):
        inner = word if word == "xor" else word + "_"
        setattr(Series, f"__{word}__", _binary(_math.logic, inner))
        setattr(Series, f"__r{word}__", _binary(_math.logic, inner, True))


def _invert(self: Series) -> Series:
    if self.dtype.is_integer():
        return self._with(~self._v, self._m)
    if not isinstance(self.dtype, t.Boolean):
        raise InvalidOperationError("`not` operation not supported for dtype "
                                    f"`{self.dtype.text()}`")
    return self._with(~self._v, self._m)


_give_operators()
Series.__invert__ = _invert  # type: ignore[attr-defined]
Series.__neg__ = lambda self: self._with(  # type: ignore[attr-defined]
    -self._v, self._m)
Series.__pos__ = lambda self: self  # type: ignore[attr-defined]
Series.__abs__ = lambda self: self._with(  # type: ignore[attr-defined]
    np.abs(self._v), self._m)
__all__ = ["Series", "ShapeError"]
