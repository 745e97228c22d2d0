"""adapted - modules of ours for libraries that are not installed.

Their files are in sandbox/python/adapters/, and are a part of the server's own
file (embedded.h). This hook is asked last: an installed library comes first,
and so does a file of the program's own directory.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import adapters  # C's: the file, code and text of each module

import builtins
import importlib.util
import marshal
import sys
from typing import Any

_modules, _loads = sys.modules, marshal.loads
_find, _from_loader = (importlib.util.find_spec,
                       importlib.util.spec_from_loader)
# What an adapter does its work with: without that there is no adapter.
_NEEDS = {
    "barcode": ("PIL", "matplotlib"),
    "bokeh": ("PIL", "matplotlib", "pandas"),
    "cvxpy": ("cvxopt", "scipy"),
    "duckdb": ("pandas",),
    "fpdf": ("PIL", "reportlab"),
    "imagehash": ("PIL", "numpy", "scipy"),
    "lifelines": ("matplotlib", "pandas", "scipy"),
    "lightgbm": ("pandas", "sklearn"),
    "missingno": ("matplotlib", "pandas", "scipy", "seaborn"),
    "mlxtend": ("pandas", "sklearn"),
    "mplfinance": ("matplotlib", "pandas"),
    "numpy_financial": ("numpy",),
    "ortools": ("pycryptosat", "scipy"),
    "pdfplumber": ("pdfminer",),
    "polars": ("pandas",),
    "pptx": ("lxml",),
    "pyarrow": ("pandas",),
    "squarify": ("matplotlib",),
    "wordcloud": ("PIL", "matplotlib"),
}
# Libraries ask in their own import whether these are there, and then keep their
# data in them, which takes more than an adapter has: they are told no.
_ASKED_FOR = frozenset(["pyarrow"])
_PACKAGE = "/__init__.py"


class _Loader:
    def __init__(self, file: str, code: bytes, text: str) -> None:
        self.file, self.code, self.text = f"<terrarium>/{file}", code, text

    def create_module(self, _spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__ = self.file
        module.__builtins__ = builtins
        exec(_loads(self.code), vars(module))

    def get_source(self, _name: str) -> str:
        """Lines for tracebacks, and for inspect."""
        return self.text

    def is_package(self, _name: str) -> bool:
        return self.file.endswith(_PACKAGE)


def _is_asked() -> bool:
    """Whether the text of an installed library's module imports, by itself."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get(
            "__name__", "").startswith("importlib"):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name == "<module>" and \
        "-packages/" in frame.f_code.co_filename


class _Finder:
    """An import hook that is asked last."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name not in adapters:
            return None
        parent = name.rpartition(".")[0]
        if parent:
            spec = getattr(_modules.get(parent), "__spec__", None)
            if spec is None or type(spec.loader) is not _Loader:
                return None
        elif not all(map(_find, _NEEDS.get(name, ()))) or \
                name in _ASKED_FOR and _is_asked():
            return None
        return _from_loader(name, _Loader(*adapters[name]))


sys.meta_path.append(_Finder)
