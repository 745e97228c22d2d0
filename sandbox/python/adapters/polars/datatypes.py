"""datatypes - the types by their module's name."""

from __future__ import annotations

from ._types import *  # noqa: F401,F403
from ._types import (FLOAT_DTYPES, INTEGER_DTYPES,  # noqa: F401
                     NUMERIC_DTYPES, DataType)
