"""services - modules of notebook services that programs import by habit.

Programs that were written for Colab or for a running event loop begin with
these. Here their work is done otherwise, or there is none to do.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import warn
from .nested_loops import apply
from .notebook import MODULES

import importlib
import importlib.machinery
from typing import Any

_find_on_path = importlib.machinery.PathFinder.find_spec
_import = importlib.import_module


def _done(*_args: Any, **_options: Any) -> None:
    """There is nothing to do here."""


def _upload(*_args: Any, **_options: Any) -> Any:
    """google.colab.files.upload() asks a person for files."""
    raise RuntimeError("files.upload() has no person to ask here: files that "
                       "are sent with the request are in the working "
                       "directory")


def _mount(*_args: Any, **_options: Any) -> None:
    """google.colab.drive.mount()"""
    warn("drive.mount() did nothing: there is no network here. Files that are "
         "sent with the request are in the working directory.")


def _show_image(image: Any) -> None:
    """google.colab.patches.cv2_imshow()"""
    _import("cv2").imshow("", image)


def _secret(name: str, *_args: Any) -> Any:
    raise RuntimeError(f"there is no secret {name!r} here, and no network")


# Name of a module of google.colab: its names.
_PARTS: dict[str, dict[str, Any]] = {
    "files": {"download": _done, "upload": _upload, "view": _done},
    "drive": {"mount": _mount, "flush_and_unmount": _done},
    "patches": {"cv2_imshow": _show_image},
    "output": {"clear": _done, "enable_custom_widget_manager": _done},
    "data_table": {"enable_dataframe_formatter": _done,
                   "disable_dataframe_formatter": _done,
                   "DataTable": lambda table, **_options: table},
    "userdata": {"get": _secret},
}


def _parts() -> dict[str, Any]:
    """The names of google.colab: its modules."""
    return {name: _import("google.colab." + name) for name in _PARTS}


MODULES["google.colab"] = _parts
for _name, _names in _PARTS.items():
    MODULES["google.colab." + _name] = lambda names=_names: names
if _find_on_path("google") is None:
    MODULES["google"] = dict
if _find_on_path("nest_asyncio") is None:
    MODULES["nest_asyncio"] = lambda: {"apply": apply}
