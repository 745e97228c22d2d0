"""_convert - frames and columns of Python's, numpy's and pandas' things."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from . import _store as store
from . import _types as t
from ._series import Series
from .exceptions import ShapeError


# -- pandas and numpy


def of_pandas(column: Any, kind: Any = None) -> Any:
    """The type, values and mask of a pandas Series or Index."""
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        values = store.objects(column.astype(object).where(
            column.notna(), None).tolist())
        found = (t.Categorical(), values, store.mask_of(values))
    elif isinstance(dtype, pd.DatetimeTZDtype):
        plain = column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
        found = (t.Datetime("ns", str(dtype.tz)), plain,
                 store.any_null(np.isnat(plain)))
    elif dtype == object or pd.api.types.is_string_dtype(dtype):
        gone = column.isna().to_numpy() if hasattr(column, "isna") else None
        values = [None if bad else one for one, bad in
                  zip(column.tolist(), gone)]  # type: ignore[arg-type]
        found = store.build(values, kind, False)
    elif isinstance(dtype, np.dtype):
        found = store.build(column.to_numpy(), None, nan_to_null=True)
    else:
        gone = column.isna().to_numpy()
        form = dtype.numpy_dtype
        values = column.fillna(0).to_numpy(form)
        found = (t.of_numpy(form), values, store.any_null(gone))
    if kind is not None and found[0] != t.as_dtype(kind):
        from ._cast import cast
        return cast(*found, t.as_dtype(kind))
    return found


def to_pandas(series: Any) -> Any:
    import pandas as pd

    kind, values, mask = series.dtype, series._v, series._m
    name = series.name or None
    if isinstance(kind, (t.Categorical, t.Enum)):
        return pd.Series(pd.Categorical(values, list(dict.fromkeys(
            one for one in values if one is not None))), name=name)
    if t.is_object(kind) or isinstance(kind, t.Time):
        return pd.Series(series.to_list(), dtype=object, name=name)
    if values.dtype.kind in "mM":
        unit = "ms" if isinstance(kind, t.Date) else kind.time_unit
        if int(pd.__version__.partition(".")[0]) < 2:
            unit = "ns"
        values = values.astype(f"{values.dtype.kind}8[{unit}]")
        if mask is not None:
            values[mask] = np.array("NaT", values.dtype)
        found = pd.Series(values, name=name)
        zone = getattr(kind, "time_zone", None)
        return found.dt.tz_localize("UTC").dt.tz_convert(zone) if zone \
            else found
    if mask is None:
        return pd.Series(values.copy(), name=name)
    if isinstance(kind, t.Boolean):
        return pd.Series(series.to_list(), dtype=object, name=name)
    return pd.Series(to_numpy(series), name=name)


def to_numpy(series: Any) -> Any:
    kind, values, mask = series.dtype, series._v, series._m
    if t.is_object(kind) or isinstance(kind, t.Time):
        return store.objects(series.to_list())
    if mask is None:
        return values.copy()
    if isinstance(kind, t.Boolean):
        return store.objects(series.to_list())
    if values.dtype.kind in "mM":
        found = values.copy()
        found[mask] = np.array("NaT", values.dtype)
        return found
    found = values.astype("f4" if kind == t.Float32 or kind in (
        t.Int8, t.Int16, t.UInt8, t.UInt16) else "f8")
    found[mask] = np.nan
    return found


def frame_to_numpy(frame: Any, structured: bool) -> Any:
    columns = [to_numpy(one) for one in frame._columns.values()]
    if structured:
        form = [(name, one.dtype) for name, one in
                zip(frame.columns, columns)]
        found = np.empty(frame.height, form)
        for name, one in zip(frame.columns, columns):
            found[name] = one
        return found
    if not columns:
        return np.zeros((0, 0))
    forms = {one.dtype for one in columns}
    if any(one == object for one in forms) or \
            len({one.kind in "mM" for one in forms}) > 1:
        return np.array([store.objects(one.tolist()) if one.dtype != object
                         else one for one in columns], object).T
    return np.array(columns).T


# -- frames


def _schema(schema: Any) -> tuple[Any, dict[str, Any]]:
    """The names, and the types of some."""
    if schema is None:
        return None, {}
    if hasattr(schema, "items"):
        pairs = list(schema.items())
    else:
        pairs = [(one, None) if isinstance(one, str) else tuple(one)
                 for one in schema]
    return [name for name, _ in pairs], {
        name: t.as_dtype(kind) for name, kind in pairs if kind is not None}


def columns_of(data: Any, schema: Any, overrides: Any, strict: bool,
               orient: Any, nan_to_null: bool = False) -> list[Any]:
    """The columns of a frame of DATA."""
    names, kinds = _schema(schema)
    kinds.update({name: t.as_dtype(kind)
                  for name, kind in (overrides or {}).items()})
    if orient not in (None, "row", "col"):
        raise ValueError("`orient` must be one of {'col', 'row', None}, got "
                         f"{orient!r}")
    if data is None:
        return [Series(name, [], kinds.get(name, t.Null))
                for name in names or []]
    if hasattr(data, "_columns"):
        found = data.get_columns()
    elif isinstance(data, Series):
        found = [data]
    elif isinstance(data, dict):
        return _of_dict(data, names, kinds, strict, nan_to_null)
    elif hasattr(data, "iloc"):
        found = _of_frame(data)
    elif isinstance(data, np.ndarray):
        found = _of_array(data, orient)
    else:
        return _of_rows(list(data), names, kinds, strict, orient)
    return _renamed(found, names, kinds)


def _renamed(found: list[Any], names: Any, kinds: Any) -> list[Any]:
    if names is not None:
        if len(names) != len(found):
            raise ShapeError(
                f"dimensions of columns arg ({len(names)}) must match data "
                f"dimensions ({len(found)})")
        found = [one.alias(name) for one, name in zip(found, names)]
    return [one.cast(kinds[one.name]) if one.name in kinds else one
            for one in found]


def _of_dict(data: dict[str, Any], names: Any, kinds: Any, strict: bool,
             nan_to_null: bool) -> list[Any]:
    from ._expr import Expr

    wanted = data if names is None else {
        name: data.get(name) for name in names}
    found, single = [], []
    for name, values in wanted.items():
        if isinstance(values, Expr):
            from ._functions import _eagerly
            values = _eagerly(values)
        if values is None and names is not None and name not in data:
            values = []
        scalar = isinstance(values, (str, bytes, dict)) or \
            not hasattr(values, "__iter__")
        if scalar:
            single.append(len(found))
            values = [values]
        elif isinstance(values, set):
            values = list(values)
        made = Series(name, values, kinds.get(name), strict=strict,
                      nan_to_null=nan_to_null)
        found.append(made.alias(name))
    height = max([len(one) for at, one in enumerate(found)
                  if at not in single] or [1 if found else 0])
    return [one._spread(height) if at in single else one
            for at, one in enumerate(found)]


def _of_frame(data: Any) -> list[Any]:
    if data.ndim == 1:
        return [Series(data.name or "", data)]
    return [Series._of(str(name), *of_pandas(data.iloc[:, at]))
            for at, name in enumerate(data.columns)]


def _of_array(data: Any, orient: Any) -> list[Any]:
    if data.dtype.names:
        return [Series(name, data[name]) for name in data.dtype.names]
    if data.ndim == 1:
        return [Series("column_0", data)]
    if data.ndim != 2:
        raise ValueError("cannot create DataFrame from array with more than "
                         "two dimensions")
    columns = data if orient == "col" else data.T
    return [Series(f"column_{at}", one) for at, one in enumerate(columns)]


def _of_rows(data: list[Any], names: Any, kinds: Any, strict: bool,
             orient: Any) -> list[Any]:
    first = next((one for one in data if one is not None), None)
    if first is None and not data:
        return [Series(name, [], kinds.get(name, t.Null))
                for name in names or []]
    if dataclasses.is_dataclass(first):
        data = [dataclasses.asdict(one) for one in data]
        first = data[0]
    elif hasattr(first, "model_dump"):
        data = [one.model_dump() for one in data]
        first = data[0]
    if isinstance(first, dict):
        return _of_dicts(data, names, kinds, strict)
    if isinstance(first, Series):
        return _renamed(data, names, kinds)
    if hasattr(first, "_fields"):
        names = names or list(first._fields)
        orient = "row"
    if not isinstance(first, (list, tuple, np.ndarray)):
        title = names[0] if names else "column_0"
        return [Series(title, data, kinds.get(title), strict=strict)]
    if _by_row(data, first, names, orient):
        width = len(first)
        if any(len(one) != width for one in data):
            raise ShapeError("the rows are not equally long")
        data = [list(one) for one in zip(*data)]
    titles = names or [f"column_{at}" for at in range(len(data))]
    if len(titles) != len(data):
        raise ShapeError(f"the row data has {len(data)} columns, but the "
                         f"schema has {len(titles)}")
    return [Series(title, list(values), kinds.get(title), strict=strict)
            for title, values in zip(titles, data)]


def _by_row(data: list[Any], first: Any, names: Any, orient: Any) -> bool:
    """Whether each one of DATA is a row, and not a column."""
    if orient is not None:
        return bool(orient == "row")
    if isinstance(first, tuple):
        return True
    kinds = [{type(x) for x in one if x is not None} for one in data[:10]]
    mixed = any(len(one - {int, float} or {0}) > 1 or
                len(one) > 1 and not one <= {int, float} for one in kinds)
    if names is not None and len(names) != len(data):
        return True
    return mixed and len(first) != len(data) or mixed


def _of_dicts(data: list[Any], names: Any, kinds: Any,
              strict: bool) -> list[Any]:
    if names is None:
        names = list(dict.fromkeys(name for one in data if one is not None
                                   for name in one))
    return [Series(name, [None if one is None else one.get(name)
                          for one in data], kinds.get(name), strict=strict)
            for name in names]
