"""notes - hints on exceptions that a program catches.

hints.py explains the exception that ended a program. Many programs catch those
of files and print them. So the hint of a failed open() or os.listdir() is a
note of the exception when it is raised: traceback.print_exc(),
logging.exception() and the like print notes. The exception's text, number and
arguments stay as they are. A program that prints the text alone is told by a
warning of the answer, if the file is still missing when it has ended.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import heard  # C's
from .case import Case
from .channels import warn
from .hints import hint_of
from .hints_places import is_outside
from .job import Now, Job

import _io
import builtins
import errno
import io
import os
import posix
import sys
from typing import Any

NOTES = 20                  # exceptions of a run that get one
WARNED = 3                  # missing files that a warning names
START = "Hint: "
_KINDS = (OSError, FileNotFoundError, PermissionError, NotADirectoryError)
# Modules that look for files of their own.
_PROBING = frozenset(["_frozen_importlib_external", "dbm", "importlib",
                      "linecache", "tokenize", "zipimport"])
_SETTINGS = frozenset(["docutils.conf"])  # of libraries, in any directory
_PLAIN = Now.job            # before any job: the preload's own files
_exists, _getframe = os.path.exists, sys._getframe


def _is_users(path: str) -> bool:
    """Whether the program's user may have meant to send PATH: a file of home
    with an extension."""
    parts = path.split("/")
    hidden = any(part[:1] == "." and part.strip(".") for part in parts)
    return "." in parts[-1] and not hidden and not is_outside(path) and \
        parts[-1] not in _SETTINGS


def _note(exc: BaseException) -> None:
    """Add the hint to an exception that was raised just now."""
    job = Now.job
    if type(exc) not in _KINDS or job is _PLAIN or job.noted >= NOTES:
        return
    caller = str(_getframe(1).f_globals.get("__name__"))
    if caller.partition(".")[0] in _PROBING:
        return
    job.noted += 1
    case = Case(exc, job)
    found = hint_of(case)
    if not found:
        return
    exc.add_note(START + found)  # type: ignore[attr-defined]
    path = case.path()
    if case.number() == errno.ENOENT and _is_users(path):
        job.missed[path] = found


def tell_missed(job: Job) -> None:
    """The program has ended: warn of files that it missed, and went on."""
    if job.failed:
        return
    missing = [path for path in job.missed if not _exists(path)]
    for path in missing[:WARNED]:
        warn(f"{path!r} was not found. {job.missed[path]}")


def without(notes: Any) -> Any:
    """An exception's notes without ours."""
    return [note for note in notes if not (
        type(note) is str and note.startswith(START))] \
        if type(notes) is list else notes


def _replace(modules: tuple[Any, ...], name: str) -> None:
    call = heard(getattr(modules[0], name), _note)
    for module in modules:
        setattr(module, name, call)


_replace((_io, io, builtins), "open")
_replace((posix, os), "listdir")
