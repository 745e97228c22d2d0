"""missingno - pictures of the gaps in a table.

`matrix`, `bar`, `heatmap`, `dendrogram`, `nullity_sort` and `nullity_filter`
of missingno 0.5.
"""

from __future__ import annotations

from .missingno import bar, dendrogram, heatmap, matrix
from .utils import nullity_filter, nullity_sort

__version__ = "0.5.2"
__all__ = ["bar", "dendrogram", "heatmap", "matrix", "nullity_filter",
           "nullity_sort"]
