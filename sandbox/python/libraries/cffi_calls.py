"""cffi_calls - cffi's callbacks from C (ffi.callback), made by ctypes.

cffi writes the code of a callback into memory that it wants to be both
writable and executable, which no guest has. ctypes has its callbacks' code from
a table (closures.c), so a callback for cffi is one of ctypes' that converts
what it is given. Structures by value are not converted.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .stand_ins import stand_in

import ctypes
import gc
import sys
import traceback
import weakref
from typing import Any, Callable, Optional

_BY_SIZE = {  # of integers: signed, not signed
    1: (ctypes.c_int8, ctypes.c_uint8), 2: (ctypes.c_int16, ctypes.c_uint16),
    4: (ctypes.c_int32, ctypes.c_uint32), 8: (ctypes.c_int64, ctypes.c_uint64)}
_BY_NAME = {"float": ctypes.c_float, "double": ctypes.c_double,
            "long double": ctypes.c_longdouble, "_Bool": ctypes.c_bool}
_POINTERS = ("pointer", "function", "array")
# Live callbacks of ctypes, by the id of cffi's pointer to each.
_kept: dict[int, tuple[Any, Any]] = {}


def _native(ffi: Any, kind: Any) -> Any:
    """The type of ctypes for cffi's KIND."""
    if kind.kind == "void":
        return None
    if kind.kind in _POINTERS:
        return ctypes.c_void_p
    if kind.kind not in ("primitive", "enum"):
        raise NotImplementedError(f"callbacks from C with {kind.cname} by "
                                  "value are not possible here")
    if kind.cname in _BY_NAME:
        return _BY_NAME[kind.cname]
    signed, unsigned = _BY_SIZE[ffi.sizeof(kind)]
    return signed if int(ffi.cast(kind, -1)) < 0 else unsigned


def _reader(ffi: Any, kind: Any) -> Callable[[Any], Any]:
    """Converts an argument for the program's function."""
    if kind.kind in _POINTERS:
        return lambda value: ffi.cast(kind, value or 0)
    if kind.cname == "char":
        return lambda value: bytes([value & 255])
    return lambda value: value


def _writer(ffi: Any, kind: Any) -> Callable[[Any], Any]:
    """Converts what the program's function returns."""
    if kind.kind == "void":
        return lambda value: None
    if kind.kind in _POINTERS:
        return lambda value: int(ffi.cast("uintptr_t", value))
    if kind.cname in _BY_NAME:
        return lambda value: _BY_NAME[kind.cname](value).value
    if kind.cname == "char":
        return lambda value: value[0]
    return lambda value: int(ffi.cast(kind, value))


def _type_of(ffi: Any, cdecl: Any) -> Any:
    """The type of a pointer to a function; a text may name the function's."""
    if not isinstance(cdecl, str):
        return cdecl
    try:
        kind = ffi.typeof(cdecl)
    except Exception:
        kind = None
    if kind is None or kind.kind != "function":
        kind = ffi.typeof(cdecl.replace("(", "(*)(", 1))
    return kind


def _show(function: Any, exc: BaseException) -> None:
    print(f"From cffi callback {function!r}:", file=sys.stderr)
    traceback.print_exception(type(exc), exc, exc.__traceback__)


def _wrap(ffi: Any, kind: Any, function: Any, error: Any,
          onerror: Any) -> Callable[..., Any]:
    readers = [_reader(ffi, one) for one in kind.args]
    write = _writer(ffi, kind.result)
    void = kind.result.kind == "void"
    failed = None if void else 0 if error is None else write(error)

    def call(*words: Any) -> Any:
        try:
            return write(function(*[read(word) for read, word
                                    in zip(readers, words)]))
        except BaseException as exc:
            if onerror is None:
                _show(function, exc)
                return failed
            instead = onerror(type(exc), exc, exc.__traceback__)
            return failed if instead is None else write(instead)
    return call


def callback(self: Any, cdecl: Any, python_callable: Optional[Any] = None,
             error: Any = None, onerror: Any = None) -> Any:
    """Return a callback object or a decorator making such a callback object."""
    if python_callable is None:
        return lambda function: callback(self, cdecl, function, error, onerror)
    if not callable(python_callable):
        raise TypeError("expected a callable object, not "
                        f"{type(python_callable).__name__}")
    kind = _type_of(self, cdecl)
    made = ctypes.CFUNCTYPE(
        _native(self, kind.result), *[_native(self, one) for one in kind.args])(
            _wrap(self, kind, python_callable, error, onerror))
    pointer = self.cast(kind, ctypes.cast(made, ctypes.c_void_p).value)
    number = id(pointer)
    _kept[number] = made, weakref.ref(pointer,
                                      lambda _: _kept.pop(number, None))
    return pointer


def _adopt_backend(module: Any) -> None:
    """Replace a method of a class in C, whose attributes cannot be set."""
    members = gc.get_referents(vars(module.FFI))[0]
    members["callback"] = stand_in(callback, module.FFI, "callback")
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(module.FFI))


def _adopt_api(module: Any) -> None:
    module.FFI.callback = callback


when_imported({"_cffi_backend": _adopt_backend, "cffi.api": _adopt_api})
