"""pyarrow - columns of data, and Parquet files of them.

Tables, arrays, types, everyday functions of pyarrow.compute, pyarrow.parquet
and pyarrow.csv, with numpy and pandas. Written for files and short programs:
values are numpy's, texts and nested values are Python's objects. No memory
pools, buffers, IPC, Flight, datasets, file systems or extension types.
"""

from __future__ import annotations

import sys
from typing import Any

if "pandas" not in sys.modules:
    # pandas asks whether there is pyarrow, to keep its texts in Arrow's
    # arrays, which are not here: it shall not find this module half made.
    _me = sys.modules.pop(__name__)
    sys.modules[__name__] = None  # type: ignore[assignment]
    try:
        import pandas as _pandas  # noqa: F401
    finally:
        sys.modules[__name__] = _me

from . import _errors, types
from ._array import CLASSES as _CLASSES
from ._array import Array, DictionaryArray, ListArray, StructArray
from ._build import array, nulls, repeat
from ._chunks import ChunkedArray, chunked_array, concat_arrays
from ._errors import (ArrowCancelled, ArrowCapacityError, ArrowException,
                      ArrowIndexError, ArrowInvalid, ArrowIOError,
                      ArrowKeyError, ArrowMemoryError,
                      ArrowNotImplementedError, ArrowSerializationError,
                      ArrowTypeError)
from ._scalars import Scalar, scalar
from ._schema import Schema, schema
from ._table import (RecordBatch, Table, concat_tables, record_batch, table,
                     unify_schemas)
from ._types import (BaseExtensionType, DataType, Decimal128Type,
                     DictionaryType, DurationType, ExtensionType, Field,
                     FixedSizeBinaryType, LargeListType, ListType, MapType,
                     StructType, Time32Type, Time64Type, TimestampType,
                     binary, bool_, date32, date64, decimal128, dictionary,
                     duration, field, float16, float32, float64,
                     from_numpy_dtype, int8, int16, int32, int64,
                     large_binary, large_list, large_string, large_utf8,
                     list_, map_, null, register_extension_type, string,
                     struct, time32, time64, timestamp, type_for_alias, uint8,
                     uint16, uint32, uint64, unregister_extension_type, utf8)

__version__ = "17.0.0"
_hotfix_installed = True    # pandas asks before it changes extension types
for _one in _CLASSES.values():
    globals()[_one.__name__] = _one
lib = sys.modules[__name__]


def infer_type(values: Any, mask: Any = None, from_pandas: bool = False) -> \
        DataType:
    """pa.infer_type()"""
    return array(values, mask=mask, from_pandas=from_pandas).type


def cpu_count() -> int:
    return 1


def set_cpu_count(count: int) -> None:
    """Without effect: there is one."""


def total_allocated_bytes() -> int:
    return 0


def show_versions() -> None:
    print(f"pyarrow version: {__version__} (Terrarium's adapter)")


def __getattr__(name: str) -> Any:
    if name in ("compute", "parquet", "csv", "feather", "json"):
        raise AttributeError(f"module 'pyarrow' has no attribute '{name}'")
    raise AttributeError(f"pyarrow.{name} is not here; tables, arrays, types, "
                         "pyarrow.compute, pyarrow.parquet and pyarrow.csv "
                         "are")
