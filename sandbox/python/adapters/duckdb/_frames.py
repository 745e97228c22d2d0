"""Tables of pandas: in, and out."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

from . import _types as types
from ._casts import caster
from ._errors import InvalidInputException, fail, lacks
from ._names import unique
from ._types import T
from ._values import kept, python_of

_INTS = {"int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER",
         "int64": "BIGINT", "uint8": "UTINYINT", "uint16": "USMALLINT",
         "uint32": "UINTEGER", "uint64": "UBIGINT"}
_NUMPY = {"BOOLEAN": "bool", "TINYINT": "int8", "SMALLINT": "int16",
          "INTEGER": "int32", "BIGINT": "int64", "UTINYINT": "uint8",
          "USMALLINT": "uint16", "UINTEGER": "uint32", "UBIGINT": "uint64",
          "HUGEINT": "float64", "FLOAT": "float32", "DOUBLE": "float64",
          "DECIMAL": "float64", "NULL": "int32"}


# -- in


def kept_columns(value: Any, name: str) -> tuple[list, list, list]:
    """Names, types and kept values of a table of pandas or numpy."""
    import numpy as np
    import pandas as pd
    if isinstance(value, dict):
        value = pd.DataFrame(value)
    if isinstance(value, np.ndarray):
        value = _of_array(value)
    if isinstance(value, pd.Series):
        value = value.to_frame()
    if not isinstance(value, pd.DataFrame):
        fail(InvalidInputException, f"Python Object \"{name}\" of type "
             f'"{type(value).__name__}" found on line "?" not suitable for '
             "replacement scans.")
    if not len(value.columns):
        fail(InvalidInputException, "Provided table/dataframe must have at "
             "least one column")
    kinds, values = [], []
    for at in range(len(value.columns)):
        kind, column = _column(value.iloc[:, at])
        kinds.append(kind)
        values.append(column)
    return [str(one) for one in value.columns], kinds, values


def _of_array(value: Any) -> Any:
    import pandas as pd
    if value.ndim == 1:
        return pd.DataFrame({"column0": value})
    return pd.DataFrame({f"column{k}": one for k, one in enumerate(value)})


def _column(series: Any) -> tuple[T, list]:
    """The type of one column, and its values."""
    dtype = str(series.dtype)
    low = dtype.lower()
    if low in _INTS:
        values = _plain(series, int)
        if low == "uint64" and any(one and one >= 2 ** 63 for one in values):
            lacks("whole numbers above 63 bits")
        return T(_INTS[low]), values
    if low in ("float64", "float32", "float16"):
        kind = types.DOUBLE if low == "float64" else types.FLOAT
        return kind, _plain(series, float) if dtype[0] == "F" \
            else series.tolist()
    if low in ("bool", "boolean"):
        return types.BOOLEAN, _plain(series, int)
    return _more(series, dtype)


def _more(series: Any, dtype: str) -> tuple[T, list]:
    if dtype.startswith("datetime64"):
        return _stamps(series, dtype)
    if dtype.startswith("timedelta64"):
        return types.INTERVAL, [None if one is None else kept(one)[1] for one
                                in _plain(series.astype("timedelta64[ns]"))]
    if dtype == "category":
        return _category(series)
    if dtype == "object" or dtype.startswith(("string", "str")):
        return _objects(_plain(series))
    lacks(f"a column of {dtype}", "use astype()")


def _plain(series: Any, make: Any = None) -> list:
    """The values, and None for what is missing; the engine would keep
    numbers of numpy as bytes, so MAKE makes Python's."""
    missing = series.isna()
    values = series.tolist()
    if make is not None:
        values = [None if gap else make(one)
                  for one, gap in zip(values, missing)]
    if not missing.any():
        return values
    return [None if gap else one for one, gap in zip(values, missing)]


def _stamps(series: Any, dtype: str) -> tuple[T, list]:
    if "," in dtype:
        lacks("a column of times with a zone",
              "use dt.tz_convert('UTC').dt.tz_localize(None)")
    whole = series.astype("datetime64[ns]")
    numbers = whole.to_numpy().view("i8")
    missing = whole.isna().to_numpy()
    if (numbers[~missing] % 1000).any():
        lacks("a time with nanoseconds", "use dt.floor('us')")
    values = (numbers // 1000).tolist()
    if missing.any():
        values = [None if gap else one
                  for one, gap in zip(values, missing.tolist())]
    kind = types.TIMESTAMP_NS if "[ns]" in dtype else types.TIMESTAMP
    return kind, values


def _category(series: Any) -> tuple[T, list]:
    categories = list(series.cat.categories)
    if not all(isinstance(one, str) for one in categories):
        return _column(series.astype(series.cat.categories.dtype))
    if categories != sorted(categories):
        lacks("a category that is not in the order of the alphabet",
              "use astype(str)")
    return types.VARCHAR, _plain(series.astype(object))


def _objects(values: list) -> tuple[T, list]:
    kinds = {type(one) for one in values if one is not None}
    if kinds == {str}:
        return types.VARCHAR, values
    if not kinds:
        return types.NULL, values
    if any(not issubclass(kind, str) for kind in kinds) \
            and any(issubclass(kind, str) for kind in kinds):
        return types.VARCHAR, [None if one is None else _text(one)
                               for one in values]
    pairs = [(types.NULL, None) if one is None else kept(_simple(one))
             for one in values]
    kind = types.NULL
    for one, _ in pairs:
        if one == kind or one == types.NULL:
            continue
        both = types.together(kind, one)
        if both is None:
            lacks(f"a column with both {kind} and {one}")
        kind = both
    makers = {one: caster(one, kind) for one in {one for one, _ in pairs}}
    return kind, [None if value is None else makers[one](value)
                  for one, value in pairs]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _simple(value: Any) -> Any:
    return value.tolist() if type(value).__name__ == "ndarray" else value


# -- out


def frame(names: list, kinds: list, rows: list,
          date_as_object: bool = False) -> Any:
    """The table of pandas of ROWS."""
    import pandas as pd
    columns = list(zip(*rows)) if rows else [()] * len(names)
    made = {}
    for name, kind, values in zip(unique(names), kinds, columns):
        made[name] = _series(kind, values, date_as_object)
    return pd.DataFrame(made)


def arrays(names: list, kinds: list, rows: list) -> dict:
    """What fetchnumpy() gives: masked arrays."""
    import numpy as np
    table = frame(names, kinds, rows)
    made = {}
    for at, name in enumerate(table.columns):
        gaps = [row[at] is None for row in rows]
        values = table[name].to_numpy()
        if any(gaps) and kinds[at].id in types.INTEGERS:
            values = np.array([row[at] or 0 for row in rows],
                              dtype=_NUMPY[kinds[at].id])
        made[name] = np.ma.masked_array(values, mask=gaps) if any(gaps) \
            else values
    return made


def _series(kind: T, values: Any, date_as_object: bool) -> Any:
    import pandas as pd
    gaps = None in values
    dtype = _NUMPY.get(kind.id)
    if kind == types.STAMP_TZ:
        lacks("a column of TIMESTAMP WITH TIME ZONE in a table of pandas",
              "cast it to TIMESTAMP")
    if dtype is not None:
        return _numbers(kind, values, gaps, dtype)
    if kind.id in types.STAMPS or kind.id == "DATE" and not date_as_object:
        return _moments(kind, values)
    if kind.id == "INTERVAL":
        make = python_of(kind)
        return pd.Series([pd.NaT if one is None else make(one)
                          for one in values], dtype="timedelta64[ns]")
    return pd.Series([None if one is None else _object(kind)(one)
                      for one in values], dtype=object)


def _numbers(kind: T, values: Any, gaps: bool, dtype: str) -> Any:
    import numpy as np
    import pandas as pd
    if kind.id == "BOOLEAN" and gaps:
        return pd.Series([None if one is None else bool(one)
                          for one in values], dtype=object)
    if kind.id == "DECIMAL":
        size = 10 ** kind.args[1]
        values = [None if one is None else one / size for one in values]
    if gaps:
        dtype = "float32" if dtype == "float32" else "float64"
        values = [np.nan if one is None else one for one in values]
    return pd.Series(np.array(values, dtype=dtype))


def _moments(kind: T, values: Any) -> Any:
    import numpy as np
    import pandas as pd
    unit = "ns" if kind.id == "TIMESTAMP_NS" else "us"
    factor = 86_400_000_000 if kind.id == "DATE" else 1
    least = -2 ** 63
    numbers = np.array([least if one is None else one * factor
                        for one in values], dtype="i8")
    made = numbers.view("M8[us]")
    limit = 9_223_372_036_854_775
    if (unit == "ns" or pd.__version__ < "2") and any(
            one is not None and abs(one * factor) > limit for one in values):
        lacks("a date outside 1677 to 2262 in a table of pandas",
              "use fetchall()")
    return pd.Series(made.astype(f"M8[{unit}]"))


def _object(kind: T) -> Any:
    if kind.id != "LIST":
        return python_of(kind)
    import numpy as np
    child = kind.args[0]
    dtype = _NUMPY.get(child.id, object)

    def array(text: str) -> Any:
        items = json.loads(text)
        if None in items and dtype is not object:
            make = python_of(child)
            return np.ma.masked_array(
                [0 if one is None else make(one) for one in items],
                mask=[one is None for one in items])
        make = _object(child)
        made = [None if one is None else make(one) for one in items]
        if dtype is object:
            out = np.empty(len(made), dtype=object)
            out[:] = made
            return out
        return np.array(made, dtype=dtype)
    return array


__all__ = ["kept_columns", "frame", "arrays", "dt", "Decimal"]
