"""own - what the runner keeps apart from the program it runs.

The runner shares its interpreter with a hostile program. That program can
spoil its own outcome and nothing else; the worker checks every byte. The aim
is only that a program which breaks things by accident, or for fun, still
gets a true answer. Therefore every file of the runner
  - has builtins of its own: `from .own import BUILTINS as __builtins__`, so
    that replacing those of the program changes nothing there;
  - keeps what it needs of other modules under a name of its own, because the
    program can replace what is in them;
  - reads types and exceptions past what their classes say of themselves.
A frame is the runner's own if its builtins are these.
"""

from __future__ import annotations

import builtins

BUILTINS = __builtins__ = dict(vars(builtins))

import importlib.util
import types

NAME_CHARS = 200            # of a class name

# Slots of the base types, read past whatever a class or object says of itself.
mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
_name_of = type.__dict__["__name__"].__get__


def is_ours(frame: types.FrameType) -> bool:
    """Whether a frame runs a function of the runner."""
    return frame.f_builtins is BUILTINS


def private_copy(name: str) -> types.ModuleType:
    """A copy of a library module, with builtins of its own. Its frames are
    not ours, so that the deadline can end what it does."""
    module = types.ModuleType(name)
    vars(module)["__builtins__"] = dict(BUILTINS)
    loader = importlib.util.find_spec(name).loader
    exec(loader.get_code(name), vars(module))
    return module


def type_name(cls: type) -> str:
    """The name of a class, bounded, without NUL."""
    return _name_of(cls)[:NAME_CHARS].replace("\0", "?")
