"""aliases - modules under their other names.

Some modules were renamed, or have a copy in the standard library. A name that
is not installed leads to the module that does the same, if that is installed.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import importlib
import importlib.machinery
import importlib.util
import sys
from typing import Any

_modules = sys.modules
_find, _import = importlib.util.find_spec, importlib.import_module
_Spec = importlib.machinery.ModuleSpec
_SAME = {
    "Crypto": "Cryptodome",
    "PyPDF2": "pypdf",
    "backports.zoneinfo": "zoneinfo",
    "imageio.v2": "imageio",
    "importlib_metadata": "importlib.metadata",
    "importlib_resources": "importlib.resources",
    "pymupdf": "fitz",
    "simplejson": "json",
    "sklearn.externals.joblib": "joblib",
    "tomli": "tomllib",
}


class _Loader:
    def __init__(self, target: str) -> None:
        self.target = target

    def create_module(self, _spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        """Import the target under both names."""
        _modules[module.__name__] = _import(self.target)


class _Finder:
    """An import hook that is asked last."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        same = _SAME.get(name)
        if same is None or _find(same) is None:
            return None
        return _Spec(name, _Loader(same))  # type: ignore[arg-type]


sys.meta_path.append(_Finder)
