"""draws - each of multiprocessing's stand-ins draws its own random numbers.

Processes have random and numpy.random for themselves, so a worker that seeds
them draws what it expects. Threads share them. So the functions of both
modules are replaced with the first process, by ones that ask for the generator
of the process that calls.

As in a process, random is seeded anew. A fork would copy numpy's generator, so
all processes would draw the same. Here each begins with another state, which
follows from its parent's: a program that seeds draws the same every time.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .processes import _Table, _replace, current_process
from .values import numpy_module

import random
import types
from typing import Any, Callable

_Random = random.Random
_METHODS = (types.MethodType, types.BuiltinMethodType)


def _own_random(process: Any) -> Any:
    if "_mp_random" not in process.__dict__:
        process._mp_random = _Random()
    return process._mp_random


def _own_numpy(process: Any) -> Any:
    return process.__dict__.get("_mp_numpy", _numpy_state())


def _numpy_state() -> Any:
    return numpy_module().random.mtrand._rand


def _inherit(parent: Any, child: Any) -> None:
    """Make numpy's generator of a new process."""
    if numpy_module() is None:
        return
    theirs = _own_numpy(parent)
    own = type(theirs)()
    own.set_state(theirs.get_state())
    seeds = own.randint(0, 1 << 31, 8).tolist()
    own.seed([*seeds, *child._identity])
    child._mp_numpy = own


def _drawer(old: Any, own: Callable[[Any], Any]) -> Callable[..., Any]:
    """OLD, a method of the main process's generator, for each process."""
    name = old.__name__

    def draw(*args: Any, **options: Any) -> Any:
        process = current_process()
        if process._popen is None:
            return old(*args, **options)
        return getattr(own(process), name)(*args, **options)

    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = old.__doc__
    return draw


def _rows(module: Any, main: Any, own: Callable[[Any], Any]) -> Any:
    """What replaces the functions of MODULE that are methods of MAIN."""
    return [(module, name, _drawer(value, own))
            for name, value in list(vars(module).items())
            if isinstance(value, _METHODS) and
            getattr(value, "__self__", None) is main]


def _begin() -> dict[int, tuple[Any, Any]]:
    rows = _rows(random, random._inst, _own_random)
    numpy = numpy_module()
    if numpy is not None:
        main = _numpy_state()
        rows += _rows(numpy.random, main, _own_numpy)
    return _replace(rows)


_Table.begun.append(_begin)
_Table.forked.append(_inherit)
