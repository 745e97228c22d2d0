"""newer_queries - query() and eval() of columns that have pandas's own types.

As newer.py for pandas 1.5, which has numexpr and hands it columns of Int64,
boolean or string: numexpr knows none of them, and numpy finds no common type.
pandas 2 computes such expressions in Python.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import replace

import sys
from typing import Any

_modules = sys.modules


def _is_old() -> bool:
    """Whether common types are numpy's only; pandas has no version yet."""
    common = _modules["pandas.core.computation.common"]
    return "TypeError" not in common.result_type_many.__code__.co_names


def _are_own(types: Any) -> bool:
    """Whether some of the types are masked, or texts."""
    arrays = _modules["pandas"].core.arrays
    kinds = (arrays.masked.BaseMaskedDtype, _modules["pandas"].StringDtype)
    return any(isinstance(one, kinds) for one in types)


def _types_of(terms: Any) -> list[Any]:
    found = list(getattr(terms, "operand_types", ()))
    try:
        return [*found, terms.return_type]
    except AttributeError:
        return found


def _change_types(ops: Any) -> None:
    if not _is_old():
        return
    plain = ops.result_type_many

    def result_type_many(*types: Any) -> Any:
        try:
            return plain(*types)
        except TypeError:
            if not _are_own(types):
                raise
            cast = _modules["pandas"].core.dtypes.cast
            dtypes = _modules["pandas"].api.types.pandas_dtype
            return cast.find_common_type([dtypes(one) for one in types])

    replace(ops, "result_type_many", result_type_many)


def _change_engines(engines: Any) -> None:
    if not _is_old():
        return
    plain, in_python = engines.NumExprEngine.evaluate, engines.PythonEngine

    def evaluate(self: Any) -> Any:
        if _are_own(_types_of(self.expr.terms)):
            return in_python(self.expr).evaluate()
        return plain(self)

    replace(engines.NumExprEngine, "evaluate", evaluate)


when_imported({
    "pandas.core.computation.engines": _change_engines,
    "pandas.core.computation.ops": _change_types,
})
