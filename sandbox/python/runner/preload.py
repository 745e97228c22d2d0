"""preload - what a mold does once for all its guests, and what makes each
of them differ from its brothers."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import figures  # adopts pyplot when that is imported
from . import kernel  # takes the place of two calls
from . import locks  # takes multiprocessing's place
from . import phase  # C's: what is made from here on is counted anew
from .chance import find_generators, reseed
from .deadline import listen
from .errors import format_error
from .forks import run_hooks
from .values import encode, numpy_module

import _thread
import ast
import asyncio
import atexit
import base64
import importlib
import io
import json
import logging
import os
import selectors
import signal
import sys
import textwrap
import threading
from typing import Any, Callable

_main_thread: Any = threading.main_thread()
_modules = sys.modules


def _warm_library() -> None:
    """The caches of what nearly every program touches."""
    text = "import os\nasync def f(): return 1\ntry:\n 1/0\nexcept OSError: 0"
    compile(ast.parse(text), "<warm>", "exec")
    json.loads(json.dumps({"a": [1, 2.5, None, "\u00e9"]}))
    textwrap.dedent("  a\n  b")
    base64.b64decode(base64.b64encode(b"warm"))
    # The filter has no epoll: poll does, for what one program waits for.
    selectors.DefaultSelector = selectors.PollSelector
    loop = asyncio.new_event_loop()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    try:
        raise ValueError
    except ValueError as exc:
        format_error(exc)


def _warm_numpy() -> None:
    numpy = numpy_module()
    if numpy is None:
        return
    encode(numpy.linspace(0, 1, 5), 1000)
    repr(numpy.random.default_rng(1).normal(size=(4, 4)) @ numpy.eye(4))


def _warm_pandas() -> None:
    pandas = _modules.get("pandas")
    if pandas is None:
        return
    table = pandas.read_csv(io.StringIO("a,b,c\n1,x,2020-01-01\n2,y,\n"))
    table["c"] = pandas.to_datetime(table["c"])
    repr(table)
    table.to_html()
    table._repr_html_()
    repr(table.describe())
    repr(table.groupby("b")["a"].sum())
    table.to_csv()


def _warm_matplotlib() -> None:
    """Draw one figure, so that fonts are found and read."""
    if "matplotlib" not in _modules:
        return
    pyplot = importlib.import_module("matplotlib.pyplot")
    fonts = importlib.import_module("matplotlib.font_manager")
    wide = figures.wide_font(fonts.fontManager)
    figure, axes = pyplot.subplots()
    axes.plot([1, 2, 3], label="warm")
    axes.bar([1, 2], [3, 4])
    axes.set_title("Warm 0123 $x^2$")
    axes.set_xlabel(figures.WIDE_SAMPLE if wide else "x")
    axes.legend()
    for kind in ("png", "svg"):
        figure.savefig(io.BytesIO(), format=kind, bbox_inches="tight")
    pyplot.close("all")
    # A font in these caches is an open file, and a guest closes those.
    parser = importlib.import_module("matplotlib.mathtext").MathTextParser
    for cached in (getattr(fonts, "_get_font", None),
                   getattr(parser, "_parse_cached", None)):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()


# Exit hooks that but give memory back, as the end of the process does.
_NEEDLESS_HOOKS = (("PIL._imaging", "clear_cache"),)


def _drop_hooks() -> None:
    for module, name in _NEEDLESS_HOOKS:
        hook = getattr(_modules.get(module), name, None)
        if hook is not None:
            atexit.unregister(hook)
    _note_handlers()


class _Hook:
    """That of logging, which flushes and closes all handlers at the end: what
    it does, and how many there were in the mold, and the last; -1: it must
    be called."""
    __slots__ = ("shut_down", "handlers", "count", "newest")

    def __init__(self) -> None:
        self.shut_down = logging.shutdown
        self.handlers = logging._handlerList  # type: ignore[attr-defined]
        self.count = -1
        self.newest: Any = None


_hook = _Hook()


def _end_logging() -> None:
    """Unless the program has made no handler, and those that there were hold
    nothing back: thirty pages less."""
    found = _hook.handlers
    if len(found) != _hook.count or found[-1] is not _hook.newest:
        _hook.shut_down()


# In the place of logging's own, which comes after those of other libraries.
atexit.unregister(logging.shutdown)
atexit.register(_end_logging)


def _note_handlers() -> None:
    silent = (logging.NullHandler, type(logging.lastResort), type(None))
    found = _hook.handlers
    if found and all(type(ref()) in silent for ref in found):
        _hook.count, _hook.newest = len(found), found[-1]


_FONT_USERS = ("matplotlib", "seaborn")
_FONT_SECONDS = 60          # a list takes two
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts")


def _check_font_list() -> None:
    """Drop matplotlib's list of fonts, kept from an earlier start, when the
    font directories are not what they were: matplotlib does not look."""
    folder = os.environ.get("MPLCONFIGDIR", "")
    if not os.path.isdir(folder):
        return
    seen = json.dumps([(place, os.stat(place).st_mtime_ns) for top in _FONTS
                       for place, _, _ in sorted(os.walk(top))])
    mark = os.path.join(folder, "fonts-seen")
    try:
        with open(mark, encoding="utf-8") as file:
            if file.read() == seen:
                return
    except OSError:
        pass
    for name in os.listdir(folder):
        if name.startswith("fontlist"):
            os.unlink(os.path.join(folder, name))
    with open(mark, "w", encoding="utf-8") as file:
        file.write(seen)


def _make_font_list(words: str) -> None:
    """Where matplotlib finds no list of fonts it makes one. Let a child do
    that: who starts after us shall find what we did, and import alike."""
    folder = os.environ.get("MPLCONFIGDIR", "")
    if folder:  # as matplotlib would
        os.makedirs(folder, exist_ok=True)
    if not any(word.startswith(_FONT_USERS) for word in words.split()) or \
            not os.access(folder, os.W_OK) or \
            any(name.endswith(".json") for name in os.listdir(folder)):
        return
    child = os.fork()
    if child == 0:
        signal.alarm(_FONT_SECONDS)  # its parent waits
        try:
            importlib.import_module("matplotlib.font_manager")
        except Exception as exc:  # so its parent will make the list, or fail
            print(f"matplotlib's list of fonts: {exc!r}", file=sys.stderr)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def preload(words: str, python_path: str) -> None:
    """Import the modules WORDS (separated by blanks), with the directories
    of PYTHON_PATH (separated by colons) added to sys.path, and fill their
    caches. An ImportError goes up. In the mold."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    for folder in python_path.split(":"):
        if folder and folder not in sys.path:
            sys.path.append(folder)
    _check_font_list()
    if phase():  # else it is only slower
        _make_font_list(words)
    for word in words.split():
        phase()
        importlib.import_module(word)
    for warm in (_warm_library, _warm_numpy, _warm_pandas, _warm_matplotlib):
        phase()
        try:
            warm()
        except Exception as exc:  # slower, but right without
            print(f"{warm.__name__}: {exc!r}", file=sys.stderr)
    phase()
    find_generators()
    _drop_hooks()
    listen()


def _top_modules(dist: Any, name: str) -> set[str]:
    """The top-level modules that a distribution brings."""
    listed = (dist.read_text("top_level.txt") or "").split()
    if not listed:
        files = [str(path) for path in dist.files or []]
        listed = [path.split("/")[0].partition(".")[0] for path in files
                  if path.endswith((".py", ".so"))]
    return set(listed) | {name.lower().replace("-", "_")}


def packages() -> bytes:
    """JSON text of the installed packages, sorted by name. In the mold."""
    metadata = importlib.import_module("importlib.metadata")
    found: dict[str, dict[str, Any]] = {}
    for dist in metadata.distributions():
        name = dist.metadata["Name"]
        if name and name.lower() not in found:
            found[name.lower()] = {
                "name": name, "version": dist.version or "",
                "preloaded": any(module in _modules for module
                                 in _top_modules(dist, name)),
            }
    rows = [found[name] for name in sorted(found)]
    return json.dumps({"packages": rows}).encode()


def rehearse_fork() -> None:
    """What after_fork() does, but for the libraries' hooks. In the mold."""
    _main_thread._native_id = _thread.get_native_id()
    reseed()


def after_fork() -> None:
    """Make a new guest differ from its brothers. The main thread is still
    known by the mold's number, which is one of the host's."""
    _main_thread._native_id = _thread.get_native_id()
    run_hooks()
    reseed()
