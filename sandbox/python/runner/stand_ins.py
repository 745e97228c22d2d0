"""stand_ins - the runner's functions that programs call, without a trace.

A program that prints an exception should see its own frames and those of the
libraries, not those of the functions that replace the libraries' own. So each
function that the runner has put into a module or a class of another is wrapped
by unseen() (unseen.c), and has the name of its place there. That is done once,
for all modules that the fork server has, and for each that a program imports
and the runner changes (adopt.py).
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import unseen  # C's
from .own import dict_of

import os
import sys
import types
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_Function = types.FunctionType
_modules = sys.modules
_set = type.__setattr__
_wrapped: dict[Any, Any] = {}  # a function: what stands for it
_kept: dict[str, Any] = {}     # our modules


def _is_ours(name: Any) -> bool:
    """Whether a thing's __module__ is one of the runner's."""
    return isinstance(name, str) and name.partition(".")[0] == _PACKAGE


def _name(thing: Any, module: str, prefix: str, name: str) -> None:
    """Give a thing of ours the name of its place."""
    if _is_ours(thing.__module__):
        thing.__module__ = module
        thing.__name__, thing.__qualname__ = name, prefix + name


def _wrap(found: Any, module: str, prefix: str, name: str) -> Any:
    """What stands for FOUND at its place: FOUND itself if it is not ours."""
    kind = type(found)
    if kind is _Function:
        if found.__builtins__ is not __builtins__:
            return found
        if found not in _wrapped:
            _name(found, module, prefix, name)
            _wrapped[found] = unseen(found)
        return _wrapped[found]
    if kind in (staticmethod, classmethod):
        inner = _wrap(found.__func__, module, prefix, name)
        return found if inner is found.__func__ else kind(inner)
    if kind is property:
        parts = [part and _wrap(part, module, prefix, name)
                 for part in (found.fget, found.fset, found.fdel)]
        if parts != [found.fget, found.fset, found.fdel]:
            return property(*parts, found.__doc__)
    return found


def _hide_in_class(cls: type, module: str) -> None:
    for name, found in list(dict_of(cls).items()):
        new = _wrap(found, module, cls.__qualname__ + ".", name)
        if new is not found:
            _set(cls, name, new)


def stand_in(new: Any, place: Any, name: str) -> Any:
    """NEW, a function of ours, as PLACE (a module or a class) has it under
    NAME."""
    if issubclass(type(place), type):
        return _wrap(new, place.__module__, place.__qualname__ + ".", name)
    return _wrap(new, place.__name__, "", name)


def _hide_in(module: types.ModuleType, seen: set[int]) -> None:
    """Wrap the functions of ours that are in MODULE, and in classes that it
    names. Our own modules call theirs without: in those only the methods of
    classes, because programs get objects of some."""
    names = vars(module)
    own = names.get("__name__")
    ours = _is_ours(own)
    for name, found in list(names.items()):
        if issubclass(type(found), type):
            if id(found) not in seen:
                seen.add(id(found))
                if not ours and _is_ours(found.__module__):
                    _name(found, own, "", name)
                _hide_in_class(found, found.__module__)
        elif not ours:
            new = _wrap(found, own, "", name)
            if new is not found:
                names[name] = new


def hide_in(module: types.ModuleType) -> None:
    """The same for a library's module that was changed just now."""
    _hide_in(module, set())


def _keep_abilities() -> None:
    """os names its functions that take descriptors, and the like. What stands
    for one of them does too: shutil.rmtree() looks for os.listdir there."""
    for able in (os.supports_fd, os.supports_dir_fd,
                 os.supports_follow_symlinks, os.supports_effective_ids):
        able.update({getattr(os, one.__name__) for one in able})


def hide_all() -> None:
    """The same for all modules that are there. In the fork server."""
    seen: set[int] = set()
    for module in list(_modules.values()):
        if issubclass(type(module), types.ModuleType):
            _hide_in(module, seen)
    _keep_abilities()


def leave_modules() -> None:
    """Take our modules out of sys.modules. Nothing imports them any more. In
    the fork server."""
    _kept.update({name: _modules.pop(name) for name in list(_modules)
                  if _is_ours(name)})
