"""adopt - changes a library's module when it is imported.

A file of the runner asks for a module by name. Its function is called with the
module at once if the module is there, else right after its import, in the
preload or by a program. So a program that never imports it pays nothing.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .stand_ins import hide_in
from . import unseen  # C's

import importlib.machinery
import sys
from typing import Any, Callable

_modules = sys.modules
_find_on_path = importlib.machinery.PathFinder.find_spec
_changes: dict[str, list[Callable[[Any], None]]] = {}


def _change(module: Any, name: str) -> None:
    """Make the changes of a module. One that does not fit the library's
    version leaves the module as it is."""
    for change in (*_changes[name], hide_in):
        try:
            change(module)
        except Exception as exc:
            print(f"{name} is not adapted: {exc!r}", file=sys.stderr)


def adopt(name: str, change: Callable[[Any], None]) -> None:
    """Call CHANGE(module) when module NAME has been imported."""
    _changes.setdefault(name, []).append(change)
    if name in _modules:
        change(_modules[name])


class _Finder:
    """An import hook that is first on the path, and knows the names only."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name not in _changes:
            return None
        spec = _find_on_path(name, path, target)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            @unseen
            def execute_and_change(module: Any) -> None:
                execute(module)
                _change(module, name)

            spec.loader.exec_module = execute_and_change
        return spec


def when_imported(table: dict[str, Callable[[Any], None]]) -> None:
    """The same for each row of TABLE."""
    for name, change in table.items():
        adopt(name, change)


sys.meta_path.insert(0, _Finder)
