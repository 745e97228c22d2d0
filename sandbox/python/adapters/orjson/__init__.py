"""orjson - JSON as bytes, over Python's own json.

`dumps`, `loads`, `Fragment` and the options of orjson 3.10. A float's text is
orjson's (1e16, 0.00001), and NaN is null. JSONEncodeError is TypeError, as it
is there.
"""

from __future__ import annotations

from ._encode import Encoder, Fragment
from ._decode import JSONDecodeError, loads
from ._options import *  # noqa: F401,F403
from ._options import EVERY as _EVERY, OPT_APPEND_NEWLINE as _NEWLINE

from typing import Any, Callable, Optional

__version__ = "3.10.7"
__all__ = [
    "Fragment", "JSONDecodeError", "JSONEncodeError", "OPT_APPEND_NEWLINE",
    "OPT_INDENT_2", "OPT_NAIVE_UTC", "OPT_NON_STR_KEYS",
    "OPT_OMIT_MICROSECONDS", "OPT_PASSTHROUGH_DATACLASS",
    "OPT_PASSTHROUGH_DATETIME", "OPT_PASSTHROUGH_SUBCLASS",
    "OPT_SERIALIZE_DATACLASS", "OPT_SERIALIZE_NUMPY", "OPT_SERIALIZE_UUID",
    "OPT_SORT_KEYS", "OPT_STRICT_INTEGER", "OPT_UTC_Z", "__version__",
    "dumps", "loads",
]

JSONEncodeError = TypeError


def dumps(obj: Any, /, default: Optional[Callable[[Any], Any]] = None,
          option: Optional[int] = None) -> bytes:
    """OBJ as JSON in UTF-8."""
    if option is None:
        option = 0
    elif type(option) is not int or option & ~_EVERY:
        raise JSONEncodeError("Invalid opts")
    parts: list[str] = []
    Encoder(parts.append, default, option).value(obj, 0)
    if option & _NEWLINE:
        parts.append("\n")
    try:
        return "".join(parts).encode()
    except UnicodeEncodeError:
        raise JSONEncodeError("str is not valid UTF-8: surrogates not "
                              "allowed") from None
