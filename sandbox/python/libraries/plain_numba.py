"""plain_numba - numba without machine code.

A guest runs no memory that was written, unless walls.jit allows it. Without
that, NUMBA_DISABLE_JIT is set, and numba leaves functions as they are: slower,
with the same results. It can then be imported, and its decorators that compile
nevertheless have stand-ins of numpy's. All else that would compile is told.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported

import os
import re
import sys
from typing import Any, Callable

_SWITCH = "NUMBA_DISABLE_JIT"
_TOLD = ("numba cannot make machine code here, and runs functions that are "
         "decorated with jit, njit, vectorize or guvectorize as plain Python; "
         "this use of it needs machine code")


def _is_plain() -> bool:
    return os.environ.get(_SWITCH) == "1"


def _refuse(*_args: Any, **_options: Any) -> Any:
    raise NotImplementedError(_TOLD)


def _adopt_llvm(binding: Any) -> None:
    if _is_plain():
        binding.check_jit_execution = lambda: None
        binding.create_mcjit_compiler = _refuse


def _with_py_func(decorate: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled functions have their source as an attribute."""
    def jit(*args: Any, **options: Any) -> Any:
        made = decorate(*args, **options)
        if not args or not callable(args[0]):
            return lambda function: marked(made(function))
        return marked(made)

    def marked(function: Any) -> Any:
        try:
            function.py_func = function
        except AttributeError:
            pass
        return function

    jit.__doc__ = decorate.__doc__
    return jit


def _dtype(kind: Any) -> Any:
    """numpy's type for numba's KIND, of an array or of a number."""
    support = sys.modules["numba.np.numpy_support"]
    return support.as_dtype(getattr(kind, "dtype", kind))


def _vectorize(types: Any = None, **_options: Any) -> Any:
    """numba.vectorize: of numbers to a function of arrays."""
    import numpy
    if callable(types) and not isinstance(types, (str, list, tuple)) and \
            not hasattr(types, "return_type"):
        return numpy.vectorize(types)
    return lambda function: numpy.vectorize(function)


def _signatures(given: Any) -> list[Any]:
    """The types of the arguments of each signature."""
    normalize = sys.modules["numba.core.sigutils"].normalize_signature
    return [normalize(one)[0] for one in
            (given if isinstance(given, (list, tuple)) else [given])]


def _guvectorize(ftylist: Any, signature: str = "", *_args: Any,
                 **_options: Any) -> Any:
    """numba.guvectorize: FUNCTION fills its last argument."""
    import numpy
    if not signature:
        return _refuse()
    inputs, outputs = signature.replace(" ", "").split("->")
    given = [re.findall(r"\w+", one) for one in
             re.findall(r"\(([^)]*)\)", inputs)]
    wanted = re.findall(r"\w+", outputs)
    if outputs.count("(") != 1 or set(wanted) - set(sum(given, [])):
        return _refuse()
    kinds = _signatures(ftylist)[0]

    def decorate(function: Callable[..., Any]) -> Any:
        def one(*values: Any) -> Any:
            sizes: dict[str, int] = {}
            passed = []
            for value, names, kind in zip(values, given, kinds):
                value = numpy.asarray(value)
                sizes.update(zip(names, value.shape))
                passed.append(value if names else value.reshape(1)
                              if hasattr(kind, "dtype") else value[()])
            out = numpy.zeros([sizes[name] for name in wanted] or [1],
                              _dtype(kinds[-1]))
            function(*passed, out)
            return out if wanted else out[0]
        return numpy.vectorize(one, signature=signature)
    return decorate


def _adopt_numba(numba: Any) -> None:
    if not _is_plain():
        return
    for name in ("jit", "njit", "generated_jit"):
        if hasattr(numba, name):
            setattr(numba, name, _with_py_func(getattr(numba, name)))
    numba.vectorize, numba.guvectorize = _vectorize, _guvectorize
    numba.cfunc = numba.stencil = _refuse


when_imported({"llvmlite.binding": _adopt_llvm, "numba": _adopt_numba})
