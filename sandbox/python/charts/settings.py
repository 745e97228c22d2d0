"""settings - a matplotlibrc of the program's is in force.

matplotlib reads that file when it is imported, from the working directory. In
a fork server it is imported before there is one. So a guest reads the file when
the program first uses a setting; until then it costs nothing.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import sys
from typing import Any, Callable

_FILES_HOST = "/etc/"       # read in the fork server
# Methods by which settings are used.
_METHODS = ("__getitem__", "__setitem__", "__delitem__", "__iter__",
            "__len__", "__contains__", "__eq__", "__or__", "__repr__",
            "__str__", "__reduce_ex__", "_get", "_set",
            "_get_backend_or_none", "_update_raw", "_ensure_has_backend",
            "copy", "find_all", "get", "items", "keys", "pop", "popitem",
            "setdefault", "update", "values")
_NOT_OURS = ("backend", "backend_fallback", "interactive", "toolbar")


def _read(matplotlib: Any) -> None:
    """Add the settings of the program's file, if it has one."""
    file = matplotlib.matplotlib_fname()
    if file.startswith(_FILES_HOST):
        return
    with matplotlib._api.suppress_matplotlib_deprecation_warning():
        found = matplotlib.rc_params_from_file(
            file, use_default_template=False)
        for key in _NOT_OURS:
            dict.pop(found, key, None)
        for params in (matplotlib.rcParams, matplotlib.rcParamsOrig):
            params.update(found)


def await_settings() -> None:
    """Let matplotlib, if it is imported, read the program's file when a
    setting is first used. In the fork server."""
    matplotlib = sys.modules.get("matplotlib")
    params = getattr(matplotlib, "rcParams", None)
    if params is None:
        return
    plain = type(params)

    def reading_first(name: str) -> Callable[..., Any]:
        def call(self: Any, *args: Any, **options: Any) -> Any:
            self.__class__ = plain
            _read(matplotlib)
            return getattr(self, name)(*args, **options)
        return call

    waiting = {name: reading_first(name) for name in _METHODS
               if hasattr(plain, name)}
    waiting["__hash__"] = None  # type: ignore[assignment]
    names = {"__module__": plain.__module__, "__qualname__": plain.__name__}
    params.__class__ = type(plain.__name__, (plain,), {**names, **waiting})
