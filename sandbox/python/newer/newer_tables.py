"""newer_tables - newer words of pandas, and more of numpy's newer names.

As newer.py, which has the names that are renamings; here are those that do a
thing: read_csv's dtype_backend=, Series.case_when(), numpy.cumulative_sum().
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace

import importlib.util
import re
import warnings
from typing import Any, NamedTuple

_find_spec = importlib.util.find_spec

# -- numpy


class _Inverse(NamedTuple):
    values: Any
    inverse_indices: Any


class _All(NamedTuple):
    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


_Inverse.__name__ = _Inverse.__qualname__ = "UniqueInverseResult"
_All.__name__ = _All.__qualname__ = "UniqueAllResult"
_Inverse.__module__ = _All.__module__ = "numpy"
_LATER = ("1.25", "2.1", "2.2")
_KINDS = {"bool": "b", "signed integer": "i", "unsigned integer": "u",
          "integral": "iu", "real floating": "f", "complex floating": "c",
          "numeric": "iufc"}


def _change_printing(numpy: Any) -> None:
    """legacy= of a later version: numpy 1 prints so by itself, and takes a
    name that it does not know for one that it cannot compare."""
    if not numpy.__version__.startswith("1."):
        return
    for name in ("set_printoptions", "printoptions"):
        plain = getattr(numpy, name)

        def set_options(*args: Any, plain: Any = plain, **options: Any) -> Any:
            if options.get("legacy") in _LATER:
                del options["legacy"]
            return plain(*args, **options)

        replace(numpy, name, set_options)


def _change_numpy(numpy: Any) -> None:
    _change_printing(numpy)

    def bitwise_count(x: Any, /) -> Any:
        rest = numpy.abs(numpy.asarray(x)).astype(numpy.uint64)
        count = numpy.zeros(rest.shape, numpy.uint8)
        while rest.any():
            count = count + (rest & numpy.uint64(1)).astype(numpy.uint8)
            rest = rest >> numpy.uint64(1)
        return count[()]

    def isdtype(dtype: Any, kind: Any) -> bool:
        dtype = numpy.dtype(dtype)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        for one in kinds:
            if isinstance(one, str) and one not in _KINDS:
                raise ValueError(f"kind argument is a string, but {one!r} is "
                                 "not a known kind name.")
        return any(dtype.kind in _KINDS[one] if isinstance(one, str)
                   else dtype == numpy.dtype(one) for one in kinds)

    def running(plain: Any, first: int) -> Any:
        def cumulative(x: Any, /, *, axis: Any = None, dtype: Any = None,
                       out: Any = None, include_initial: bool = False) -> Any:
            x = numpy.atleast_1d(x)
            if axis is None and x.ndim > 1:
                raise ValueError("For arrays which have more than one "
                                 "dimension ``axis`` argument is required.")
            axis = axis or 0
            if include_initial:
                shape = list(x.shape)
                shape[axis] = 1
                begin = numpy.full(shape, first, dtype or x.dtype)
                x = numpy.concatenate([begin, x], axis)
            return plain(x, axis=axis, dtype=dtype, out=out)
        return cumulative

    def unstack(x: Any, /, *, axis: int = 0) -> Any:
        return tuple(numpy.moveaxis(x, axis, 0))

    add(numpy, bitwise_count=bitwise_count, isdtype=isdtype, unstack=unstack,
        cumulative_sum=running(numpy.cumsum, 0),
        cumulative_prod=running(numpy.cumprod, 1),
        unique_inverse=lambda x, /: _Inverse(
            *numpy.unique(x, return_inverse=True)),
        unique_all=lambda x, /: _All(*numpy.unique(
            x, return_index=True, return_inverse=True, return_counts=True)),
        strings=numpy.char)
    add(numpy.linalg, outer=numpy.outer, cross=numpy.cross,
        diagonal=lambda x, /, *, offset=0: numpy.diagonal(
            x, offset, -2, -1),
        matrix_norm=lambda x, /, *, keepdims=False, ord="fro":
            numpy.linalg.norm(x, ord, (-2, -1), keepdims),
        vector_norm=_vector_norm)


def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False,
                 ord: Any = 2) -> Any:
    import numpy
    x = numpy.asanyarray(x)
    if axis is None and not keepdims:
        x, axis = x.ravel(), 0
    return numpy.linalg.norm(x, ord, axis, keepdims)


# -- pandas

def _is_installed(name: str) -> bool:
    """Whether NAME is there, other than as our adapter, which has no origin
    on the disk."""
    spec = _find_spec(name)
    return spec is not None and spec.origin is not None


_ENGINES = {"pyarrow": "pyarrow", "calamine": "python_calamine"}
_SETTINGS = ("future.infer_string", "future.no_silent_downcasting",
             "future.python_scalars", "future.distinguish_nan_and_na")


def _change_settings() -> None:
    """Settings that choose a later version's ways ahead of time. A version that
    has them has registered them in its import."""
    from pandas._config import config
    for name in _SETTINGS:
        if name not in config._registered_options:
            config.register_option(name, False)


def _change_strings(module: Any) -> None:
    """string[pyarrow] as string[python], where pyarrow is missing."""
    plain = module.StringDtype.__init__

    def __init__(self: Any, storage: Any = None, **_options: Any) -> None:
        if storage in ("pyarrow", "pyarrow_numpy") and \
                not _is_installed("pyarrow"):
            storage = "python"
        plain(self, storage)

    replace(module.StringDtype, "__init__", __init__)


def _refuse_arrow(*_args: Any, **_options: Any) -> Any:
    raise NotImplementedError(
        "dtypes of pyarrow are not here; nullable dtypes are (Int64, Float64, "
        "boolean, string; dtype_backend='numpy_nullable')")


def _change_arrow(pandas: Any) -> None:
    """ArrowDtype, which needs more of pyarrow than its adapter has."""
    kind = getattr(pandas, "ArrowDtype", None)
    if kind is None or _is_installed("pyarrow"):
        return
    plain = kind.construct_from_string

    def construct_from_string(cls: Any, string: Any) -> Any:
        if isinstance(string, str) and string.endswith("[pyarrow]") and \
                string != "string[pyarrow]":
            _refuse_arrow()
        return plain(string)

    replace(kind, "__init__", _refuse_arrow)
    kind.construct_from_string = classmethod(construct_from_string)


def _with_parquet_words(plain: Any) -> Any:
    """read_parquet() of pandas 1.5 with dtype_backend=, of 2.0."""
    def read_parquet(*args: Any, dtype_backend: Any = None,
                     **options: Any) -> Any:
        if dtype_backend == "pyarrow":
            _refuse_arrow()
        if dtype_backend == "numpy_nullable":
            options["use_nullable_dtypes"] = True
        return plain(*args, **options)

    return read_parquet


def _case_when(self: Any, caselist: Any) -> Any:
    """Series.case_when(), of pandas 2.2: the first case that holds."""
    if not isinstance(caselist, list) or not caselist:
        raise TypeError("The caselist argument should be a list that is not "
                        f"empty; got {type(caselist)}")
    found = self.copy()
    for condition, value in reversed(caselist):
        if callable(condition):
            condition = condition(self)
        if callable(value):
            value = value(self)
        if not hasattr(condition, "index"):
            condition = type(self)(condition, self.index, dtype=bool)
        found = found.mask(condition.fillna(False).astype(bool), value)
    return found


def _without_missing(plain: Any) -> Any:
    """A reader that does without engines that are not installed."""
    def read(*args: Any, **options: Any) -> Any:
        engine = _ENGINES.get(options.get("engine"))
        if engine and not _is_installed(engine):
            del options["engine"]
        if options.get("dtype_backend") == "pyarrow" and \
                not _is_installed("pyarrow"):
            options["dtype_backend"] = "numpy_nullable"
        return plain(*args, **options)

    return read


def _with_newer_words(plain: Any, pandas: Any) -> Any:
    """A reader of pandas 1.5 that takes words of 2.0 to 2.2."""
    def read(*args: Any, **options: Any) -> Any:
        backend = options.pop("dtype_backend", None)
        form = options.pop("date_format", None)
        if isinstance(form, str):
            options["date_parser"] = lambda texts: pandas.to_datetime(
                texts, format=form)
        if options.get("engine") == "calamine":
            del options["engine"]
        found = plain(*args, **options)
        if backend is None:
            return found
        if isinstance(found, dict):
            return {key: one.convert_dtypes() for key, one in found.items()}
        return found.convert_dtypes()

    return read


# More functions that take dtype_backend= since pandas 2.0.
_TYPED = ("read_clipboard", "read_fwf", "read_json", "read_sql",
          "read_sql_query", "read_sql_table", "read_table", "read_xml",
          "to_numeric")


def _with_backend(plain: Any) -> Any:
    """A function of pandas 1.5 with types that hold missing values, if they
    are asked for."""
    def call(*args: Any, dtype_backend: Any = None, **options: Any) -> Any:
        found = plain(*args, **options)
        if dtype_backend is None or not hasattr(found, "convert_dtypes"):
            return found
        return found.convert_dtypes()
    return call


def _change_types(pandas: Any) -> None:
    for name in _TYPED:
        plain = getattr(pandas, name)
        if lacks(plain, "dtype_backend"):
            replace(pandas, name, _with_backend(plain))
    for kind in (pandas.DataFrame, pandas.Series):
        plain = kind.convert_dtypes
        if lacks(plain, "dtype_backend"):
            def convert_dtypes(self: Any, *args: Any, plain: Any = plain,
                               dtype_backend: Any = None,
                               **options: Any) -> Any:
                return plain(self, *args, **options)

            replace(kind, "convert_dtypes", convert_dtypes)


def _write_by(plain: Any, pandas: Any) -> Any:
    """to_excel() with engine_kwargs=, of pandas 2.1."""
    def to_excel(self: Any, excel_writer: Any, *args: Any,
                 engine_kwargs: Any = None, **options: Any) -> Any:
        if not engine_kwargs or isinstance(excel_writer, pandas.ExcelWriter):
            return plain(self, excel_writer, *args, **options)
        with pandas.ExcelWriter(excel_writer, options.pop("engine", None),
                                engine_kwargs=engine_kwargs) as writer:
            return plain(self, writer, *args, **options)
    return to_excel


def _change_writers(pandas: Any) -> None:
    for kind in (pandas.DataFrame, pandas.Series):
        if lacks(kind.to_excel, "engine_kwargs"):
            replace(kind, "to_excel", _write_by(kind.to_excel, pandas))


def _change_units(pandas: Any) -> None:
    """as_unit() of indexes and single times, as that of columns."""
    def as_unit(self: Any, unit: str, *_options: Any) -> Any:
        if unit not in ("s", "ms", "us", "ns"):
            raise ValueError(f"Supported units are 's', 'ms', 'us', 'ns', "
                             f"not {unit!r}")
        return self

    if not hasattr(pandas.Timestamp, "as_unit"):
        for kind in (pandas.DatetimeIndex, pandas.TimedeltaIndex,
                     pandas.Timestamp, pandas.Timedelta):
            add(kind, as_unit=as_unit)


def _change_times(time: Any) -> None:
    """A time of an index has no freq= in its repr."""
    plain = time.__repr__

    def __repr__(self: Any) -> str:
        return re.sub(r", freq='[^']*'\)$", ")", plain(self))

    time.__repr__ = __repr__


def _quiet_latex(plain: Any) -> Any:
    """to_latex() as of 2.0: no words of what is to come, and a text's own
    signs stay unless escape= asks. Blanks between columns are those of 1.5."""
    def to_latex(self: Any, *args: Any, **options: Any) -> Any:
        if "escape" not in options and len(args) < 14:
            options["escape"] = False
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "In future versions `DataFr")
            return plain(self, *args, **options)
    return to_latex


def _change_readers(pandas: Any) -> None:
    for name in ("read_csv", "read_excel"):
        plain = getattr(pandas, name)
        reader = _without_missing(plain)
        if lacks(plain, "dtype_backend"):
            reader = _with_newer_words(reader, pandas)
        replace(pandas, name, reader)
    if lacks(pandas.read_parquet, "dtype_backend"):
        replace(pandas, "read_parquet",
                _with_parquet_words(pandas.read_parquet))


def _is_masked(one: Any) -> bool:
    return hasattr(one.dtype, "numpy_dtype") and one.dtype.kind in "iuf"


def _fills_masked(plain: Any) -> Any:
    """Series.interpolate() for columns of Float64 and Int64, of 3.0."""
    def interpolate(self: Any, *args: Any, inplace: bool = False,
                    **options: Any) -> Any:
        if inplace or not _is_masked(self):
            return plain(self, *args, inplace=inplace, **options)
        found = plain(self.astype("float64"), *args, **options)
        return found.astype("Float64")
    return interpolate


def _numbers_type(array: Any) -> Any:
    """The numpy type that pandas 2.2 gives a masked array's numbers."""
    import numpy
    found = array.dtype.numpy_dtype
    if not array._hasna or found.kind == "f":
        return found
    return numpy.dtype(object if found.kind == "b" else float)


def _change_masked(module: Any) -> None:
    """Series of Int64, boolean and the like are arrays of numbers for other
    libraries, as since pandas 2.2, not of objects, which matplotlib and seaborn
    refuse (weeks of dt.isocalendar()). Within pandas they stay objects."""
    masked = module.BaseMaskedArray
    plain, no_default = masked.to_numpy, module.lib.no_default
    if _find_spec("pandas.core.arrays._utils"):
        return

    def to_numpy(self: Any, dtype: Any = None, copy: bool = False,
                 na_value: Any = no_default) -> Any:
        if dtype is None:
            dtype = _numbers_type(self)
            if dtype.kind == "f" and na_value is no_default:
                na_value = float("nan")
        return plain(self, dtype, copy, na_value)

    def __array__(self: Any, dtype: Any = None) -> Any:
        return plain(self, dtype)

    replace(masked, "to_numpy", to_numpy)
    replace(masked, "__array__", __array__)


def _change_arrays(kind: Any, masked: type) -> None:
    """The same for numpy.asarray(series)."""
    plain = kind.__array__

    def __array__(self: Any, dtype: Any = None) -> Any:
        values = self._values
        if dtype is None and isinstance(values, masked):
            return values.to_numpy()
        return plain(self, dtype)

    replace(kind, "__array__", __array__)


def _stacks_as_later(plain: Any) -> Any:
    def stack(self: Any, *args: Any, future_stack: bool = False,
              **options: Any) -> Any:
        if future_stack:
            options["dropna"] = False
        return plain(self, *args, **options)
    return stack


def _as_unit(self: Any, unit: str) -> Any:
    """dt.as_unit(): pandas 1.5 has nanoseconds alone."""
    if unit not in ("s", "ms", "us", "ns"):
        raise ValueError(f"Supported units are 's', 'ms', 'us', 'ns', not "
                         f"{unit!r}")
    return self._parent.copy()


def _change_properties(accessors: Any) -> None:
    if not hasattr(accessors.DatetimeArray, "as_unit"):
        for kind in (accessors.DatetimeProperties,
                     accessors.TimedeltaProperties):
            add(kind, as_unit=_as_unit)


def _change_groupings(module: Any) -> None:
    """as_index=False keeps the column of a Grouper's key, as pandas 2 does;
    pandas 1.5 dropped it in silence."""
    plain, later = module.Grouping.__init__, module.Grouper
    if not lacks(plain, "uniques"):
        return

    def __init__(self: Any, index: Any, grouper: Any = None, *args: Any,
                 **options: Any) -> None:
        if isinstance(grouper, later) and grouper.key is not None and not args:
            options["in_axis"] = True
        plain(self, index, grouper, *args, **options)

    replace(module.Grouping, "__init__", __init__)
    _keep_missing(module)


def _keep_missing(module: Any) -> None:
    """dropna=False keeps the rows whose category is missing, as pandas 2
    does; pandas 1.5 left them out in silence."""
    plain = module.Grouping._codes_and_uniques.fget

    def _codes_and_uniques(self: Any) -> Any:
        codes, uniques = plain(self)
        if self._dropna or not self._passed_categorical or \
                not (codes == -1).any():
            return codes, uniques
        found, missing = uniques.codes, codes == -1
        place = len(found)
        if not self._sort:      # by its first row among the others'
            place = len(module.algorithms.unique1d(
                codes[:missing.argmax()]))
            codes = module.np.where(codes >= place, codes + 1, codes)
        codes = module.np.where(missing, place, codes)
        return codes, type(uniques).from_codes(
            module.np.insert(found, place, -1), dtype=uniques.dtype)

    module.Grouping._codes_and_uniques = module.cache_readonly(
        _codes_and_uniques)


def _change_pivots(module: Any) -> None:
    """margins= for columns of Float64 and Int64, of 2.0: a dtype that holds
    missing values needs no downcast."""
    plain = getattr(module, "maybe_downcast_to_dtype", None)
    if plain is None:
        return

    def maybe_downcast_to_dtype(result: Any, dtype: Any) -> Any:
        if isinstance(dtype, str) or not hasattr(dtype, "na_value"):
            return plain(result, dtype)
        try:
            return result.astype(dtype)
        except (TypeError, ValueError):  # a mean of integers
            return result

    replace(module, "maybe_downcast_to_dtype", maybe_downcast_to_dtype)


def _drop_copy(plain: Any) -> Any:
    def infer_objects(self: Any, copy: Any = None) -> Any:
        return plain(self)
    return infer_objects


def _change_frames(pandas: Any) -> None:
    add(pandas.Series, case_when=_case_when)
    for kind in (pandas.DataFrame, pandas.Series):
        plain = kind.infer_objects
        if lacks(plain, "copy"):
            replace(kind, "infer_objects", _drop_copy(plain))


_COUNTS = ("subset", "normalize", "sort", "ascending", "bins")


def _named_counts(kind: Any, place: int, is_column: bool) -> None:
    """Let KIND's value_counts() have the names of pandas 2: the counts are
    "count", and the index of a column's has its name, unless it is that of
    bins. PLACE is that of KIND's first parameter."""
    plain = kind.value_counts

    def value_counts(self: Any, *args: Any, **options: Any) -> Any:
        found = plain(self, *args, **options)
        if found.ndim > 1:  # of groups without their index
            return found
        given = {**dict(zip(_COUNTS[place:], args)), **options}
        if is_column:
            found.index = found.index.rename(
                self.name if given.get("bins") is None else None)
        shares = given.get("normalize")
        found.name = "proportion" if shares else "count"
        return found

    replace(kind, "value_counts", value_counts)


def _change_counts(pandas: Any) -> None:
    groups = pandas.core.groupby
    _named_counts(pandas.Series, 1, is_column=True)
    _named_counts(pandas.Index, 1, is_column=True)
    _named_counts(pandas.DataFrame, 0, is_column=False)
    _named_counts(groups.SeriesGroupBy, 1, is_column=False)
    _named_counts(groups.DataFrameGroupBy, 0, is_column=False)


def _change_pandas(pandas: Any) -> None:
    _change_settings()
    _change_frames(pandas)
    is_old = lacks(pandas.read_csv, "dtype_backend")
    _change_readers(pandas)
    _change_arrow(pandas)
    _change_types(pandas)
    _change_writers(pandas)
    _change_units(pandas)
    if is_old:
        _change_counts(pandas)
        _change_times(pandas.Timestamp)
        for kind in (pandas.DataFrame, pandas.Series):
            replace(kind, "to_latex", _quiet_latex(kind.to_latex))
        masked = pandas.core.arrays.masked.BaseMaskedArray
        _change_arrays(pandas.Series, masked)
        _change_arrays(pandas.Index, masked)
        replace(pandas.DataFrame, "stack",
                _stacks_as_later(pandas.DataFrame.stack))
        replace(pandas.Series, "interpolate",
                _fills_masked(pandas.Series.interpolate))


when_imported({
    "numpy": _change_numpy,
    "pandas": _change_pandas,
    "pandas.core.arrays.masked": _change_masked,
    "pandas.core.arrays.string_": _change_strings,
    "pandas.core.groupby.grouper": _change_groupings,
    "pandas.core.indexes.accessors": _change_properties,
    "pandas.core.reshape.pivot": _change_pivots,
})
