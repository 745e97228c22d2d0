"""pyarrow.types: questions about a type."""

from __future__ import annotations

from typing import Any, Callable

from ._types import _SIGNED, _UNSIGNED, FLOATS, INTEGERS

_KINDS = {
    "integer": INTEGERS, "signed_integer": _SIGNED,
    "unsigned_integer": _UNSIGNED, "floating": FLOATS,
    "temporal": ("timestamp", "date32", "date64", "time32", "time64",
                 "duration"),
    "date": ("date32", "date64"), "time": ("time32", "time64"),
    "nested": ("list", "struct", "map"), "decimal": ("decimal",),
    "decimal128": ("decimal",), "boolean": ("bool",), "string": ("string",),
    "unicode": ("string",), "large_string": ("large_string",),
    "large_unicode": ("large_string",), "binary": ("binary",),
    "large_binary": ("large_binary",), "fixed_size_binary": ("fixed",),
    "float16": ("halffloat",), "float32": ("float",),
    "float64": ("double",), "dictionary": ("dictionary",), "map": ("map",),
    "struct": ("struct",), "timestamp": ("timestamp",),
    "duration": ("duration",), "null": ("null",),
    "primitive": INTEGERS | FLOATS | {"bool", "timestamp", "date32",
                                      "date64", "time32", "time64",
                                      "duration"},
    **{name: (name,) for name in (*INTEGERS, "date32", "date64", "time32",
                                  "time64")},
}


def _asker(name: str, kinds: Any) -> Callable[[Any], bool]:
    def ask(t: Any) -> bool:
        return t._kind in kinds
    ask.__name__ = ask.__qualname__ = f"is_{name}"
    return ask


for _name, _kinds in _KINDS.items():
    globals()[f"is_{_name}"] = _asker(_name, _kinds)


def is_list(t: Any) -> bool:
    return t._kind == "list" and not is_large_list(t)


def is_large_list(t: Any) -> bool:
    return t._kind == "list" and str(t).startswith("large")


def __getattr__(name: str) -> Any:
    raise AttributeError(f"pyarrow.types.{name} is not here")
