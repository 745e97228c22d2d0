"""pyarrow.compute: functions of arrays, and expressions of columns."""

from __future__ import annotations

from typing import Any

from ._functions import *  # noqa: F401,F403
from ._functions import __all__ as _functions
from ._expressions import Expression, field, from_filters, scalar
from ._sorting import (array_sort_indices, dictionary_encode, index, index_in,
                       is_in, rank, select_k_unstable, sort_indices, unique,
                       value_counts)
from ._statistics import (all, any, approximate_median, count,
                          count_distinct, first, last, max, mean, min,
                          min_max, mode, product, quantile, stddev, sum,
                          variance)
from ._strings import *  # noqa: F401,F403
from ._strings import __all__ as _strings
from ._options import *  # noqa: F401,F403
from ._options import __all__ as _options

__all__ = [*_functions, *_strings, *_options, "Expression", "field", "scalar",
           "from_filters", "array_sort_indices", "dictionary_encode", "index",
           "index_in", "is_in", "rank", "select_k_unstable", "sort_indices",
           "unique", "value_counts", "all", "any", "approximate_median",
           "count", "count_distinct", "first", "last", "max", "mean", "min",
           "min_max", "mode", "product", "quantile", "stddev", "sum",
           "variance"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"pyarrow.compute.{name} is not here")
