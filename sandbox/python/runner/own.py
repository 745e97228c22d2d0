"""own - keeps the runner apart from the program that it runs.

The runner shares its interpreter with a hostile program. That program can
spoil only its own outcome, because the worker checks every byte. The aim is
smaller: a program that breaks things by accident, or for fun, still gets a
true answer. Therefore every file of the runner
  - has builtins of its own: `from .own import BUILTINS as __builtins__`, so
    that replacing the program's builtins changes nothing there;
  - keeps all that it uses of other modules under names of its own, because
    the program can replace a module's attributes;
  - reads types and exceptions by the base types' slots, because a class can
    report false attributes.
A frame is the runner's own if its builtins are these.
"""

from __future__ import annotations

import builtins

BUILTINS = __builtins__ = dict(vars(builtins))

import importlib.util
import types

NAME_CHARS = 200            # of a class name

# Slots of the base types, which a class or object cannot override.
mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
_name_of = type.__dict__["__name__"].__get__


def is_ours(frame: types.FrameType) -> bool:
    """Whether a frame runs a function of the runner."""
    return frame.f_builtins is BUILTINS


def private_copy(name: str) -> types.ModuleType:
    """A copy of a library module, with builtins of its own. Its frames do not
    count as the runner's, so the deadline can interrupt them."""
    module = types.ModuleType(name)
    vars(module)["__builtins__"] = dict(BUILTINS)
    loader = importlib.util.find_spec(name).loader
    exec(loader.get_code(name), vars(module))
    return module


def type_name(cls: type) -> str:
    """The name of a class, bounded, without NUL."""
    return _name_of(cls)[:NAME_CHARS].replace("\0", "?")
