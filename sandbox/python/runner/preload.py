"""preload - the work that a fork server does once for all its guests, and the
work that makes each guest different."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import figures  # adapts pyplot when that is imported
from . import flock  # replaces fcntl.flock()
from . import fonts
from . import cffi_calls  # makes callbacks of cffi by ctypes
from . import libraries  # replaces ctypes.util.find_library()
from . import plain_numba  # numba without machine code
from . import kernel  # replaces two calls
from . import locks  # replaces multiprocessing's semaphores
from . import viewers  # adapts libraries that open windows
from . import phase  # C's: begins a new phase of block numbers
from .chance import find_generators, reseed
from .deadline import install_handlers
from .errors import format_error
from .forks import run_hooks
from .settings import await_settings
from .values import encode, numpy_module
from .where import install_where

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
import re
import selectors
import signal
import sys
import textwrap
import threading
from typing import Any, Callable

_main_thread: Any = threading.main_thread()
_modules = sys.modules


def _warm_library() -> None:
    """Fill the caches that nearly every program uses."""
    text = "import os\nasync def f(): return 1\ntry:\n 1/0\nexcept OSError: 0"
    compile(ast.parse(text), "<warm>", "exec")
    json.loads(json.dumps({"a": [1, 2.5, None, "\u00e9"]}))
    textwrap.dedent("  a\n  b")
    base64.b64decode(base64.b64encode(b"warm"))
    # The filter has no epoll, and poll does, because a program waits for few
    # files.
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
    manager = importlib.import_module("matplotlib.font_manager")
    wide = fonts.warm()
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
    for cached in (getattr(manager, "_get_font", None),
                   getattr(parser, "_parse_cached", None)):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()


# Exit hooks that only free memory, as the end of the process does anyway.
_NEEDLESS_HOOKS = (("PIL._imaging", "clear_cache"),)


def _drop_hooks() -> None:
    for module, name in _NEEDLESS_HOOKS:
        hook = getattr(_modules.get(module), name, None)
        if hook is not None:
            atexit.unregister(hook)
    _note_handlers()


class _Hook:
    """logging's exit hook, which flushes and closes all handlers, with the
    number of handlers in the fork server, and the newest. -1: the hook must be
    called."""
    __slots__ = ("shut_down", "handlers", "count", "newest")

    def __init__(self) -> None:
        self.shut_down = logging.shutdown
        # Call logging's exit hook, unless the program has made no handler and
        # the earlier ones buffer nothing. This saves thirty pages.
        self.handlers = logging._handlerList
        self.count = -1
        self.newest: Any = None


_hook = _Hook()


def _end_logging() -> None:
    """Replaces logging's own hook, which runs after other libraries' hooks."""
    found = _hook.handlers
    if len(found) != _hook.count or found[-1] is not _hook.newest:
        _hook.shut_down()


# seconds; making a list takes two
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
    """Drop matplotlib's list of fonts from an earlier start when the font
    directories have changed, because matplotlib does not check."""
    folder = os.environ.get("MPLCONFIGDIR", "")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
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
    """Let a child make matplotlib's list of fonts if there is none. So this
    process reads a list, as each later start does, and its imports ask for the
    same blocks."""
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
        except Exception as exc:  # then its parent makes the list, or fails
            print(f"matplotlib's list of fonts: {exc!r}", file=sys.stderr)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def _add_folders(python_path: str) -> None:
    """Add the directories of PYTHON_PATH, and those of their .pth files, before
    Debian's packages. An operator's newer version of a package counts, but no
    package hides a module of the standard library."""
    site = importlib.import_module("site")
    at = next((number for number, folder in enumerate(sys.path)
               if folder.endswith("/dist-packages")), len(sys.path))
    behind = sys.path[at:]
    del sys.path[at:]
    for folder in python_path.split(":"):
        if folder:
            site.addsitedir(folder)
    sys.path.extend(behind)


def _searched(python_path: str) -> tuple[list[str], bool]:
    """The directories that _add_folders() would add, without running code of
    their .pth files; and whether there is such code, which may add modules."""
    folders, has_code = [], False
    for folder in filter(None, python_path.split(":")):
        inside = "%s/lib/python%d.%d/site-packages" % (
            folder, *sys.version_info[:2])
        folder = inside if os.path.isdir(inside) else folder
        folders.append(folder)
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".pth"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file]
            has_code |= any(line.startswith("import") for line in lines)
            folders += [os.path.join(folder, line) for line in lines
                        if line and not line.startswith(("#", "import"))]
    return folders, has_code


def _is_there(module: str, folders: list[str]) -> bool:
    """Whether MODULE can be found. Nothing is imported."""
    machinery = importlib.import_module("importlib.machinery")
    path: Any = folders + sys.path
    if module in _modules or module.partition(".")[0] in \
            sys.builtin_module_names:
        return True
    name = ""
    for part in module.split("."):
        name += part
        spec = machinery.PathFinder.find_spec(name, path)
        if spec is None:
            return False
        path = spec.submodule_search_locations
        if path is None:  # no package; it may make modules itself
            return True
        name += "."
    return True


def absent(given: bytes) -> bytes:
    """The modules that preload() would not find, with blanks between. GIVEN is
    its words, a NUL, its python_path. For a check of the configuration."""
    words, _, python_path = given.decode("utf-8", "replace").partition("\0")
    folders, has_code = _searched(python_path)
    return b"" if has_code else " ".join(
        word for word in words.split()
        if not _is_there(word, folders)).encode()


def preload(words: str, python_path: str) -> None:
    """Import the modules WORDS (separated by blanks), with the directories of
    PYTHON_PATH (separated by colons) in sys.path, and fill their caches.
    Raises ImportError. In the fork server."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    _add_folders(python_path)
    _check_font_list()
    if phase():  # otherwise the list has no effect on blocks
        _make_font_list(words)
    for word in words.split():
        phase()
        importlib.import_module(word)
    for warm in (_warm_library, _warm_numpy, _warm_pandas, _warm_matplotlib):
        phase()
        try:
            warm()
        except Exception as exc:  # without it a program is slower, but right
            print(f"{warm.__name__}: {exc!r}", file=sys.stderr)
    phase()
    find_generators()
    await_settings()
    _drop_hooks()
    install_handlers()
    install_where()


def _stated(dist: Any) -> dict[str, str]:
    """Name and version as a distribution's metadata state them. Its property
    `metadata` would parse all of a text, mostly a description, each time."""
    text = (dist.read_text("METADATA") or dist.read_text("PKG-INFO")
            or dist.read_text("") or "")  # the last: an egg-info file
    head = re.split(r"\n\s*\n", text, maxsplit=1)[0]
    return dict(reversed(_STATED.findall(head)))  # the first of each counts


def _top_modules(dist: Any, name: str) -> set[str]:
    """The top-level modules of a distribution."""
    listed = (dist.read_text("top_level.txt") or "").split()
    if not listed:
        files = [str(path) for path in dist.files or []]
        listed = [path.split("/")[0].partition(".")[0] for path in files
                  if path.endswith((".py", ".so"))]
    return set(listed) | {name.lower().replace("-", "_")}


def _is_loaded(module: str) -> bool:
    """Whether a module was imported. Python's start makes a few itself: hooks
    of .pth files, and namespaces without a file."""
    return module[:1] != "_" and \
        bool(getattr(_modules.get(module), "__file__", None))


_STATED = re.compile(r"^(Name|Version):[ \t]*(\S.*?)\s*$", re.MULTILINE)
# Metadata of a package that was built without its version.
_NO_VERSION = ("", "0.0.0")
_WRITTEN = re.compile(r"^(?:__version__|version)\s*=(?:\s*\w+\s*=)*"
                      r"\s*['\"](\d[^'\"\n]*)['\"]", re.MULTILINE)
_MOST_SOURCE = 1 << 18  # characters that are searched of a file


def _written_version(dist: Any, module: str) -> str:
    """The version that a module's source states; it is not imported."""
    for name in ("__init__.py", "version.py", "_version.py"):
        path = os.path.join(str(dist.locate_file(module)), name)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                found = _WRITTEN.search(file.read(_MOST_SOURCE))
        except OSError:
            continue
        if found:
            return found[1]
    return ""


def _debian_version(dist: Any, name: str, versions: dict[str, str]) -> str:
    """The version by dpkg, without epoch, revision and repackaging."""
    if "/dist-packages" not in str(dist.locate_file("")):
        return ""  # not Debian's
    given = versions.get(re.sub(r"[-_.]+", "-", name).lower(), "")
    upstream = given.partition(":")[2] or given
    return re.split(r"[+~]", upstream.rpartition("-")[0] or upstream)[0]


def _version(dist: Any, name: str, stated: str,
             versions: dict[str, str]) -> str:
    """The version of a distribution: by its metadata, its modules, dpkg."""
    if stated not in _NO_VERSION:
        return stated
    modules = sorted(_top_modules(dist, name))
    for module in modules:
        loaded = getattr(_modules.get(module), "__version__", None)
        if type(loaded) is str and loaded[:1].isdigit():
            return loaded
    for module in modules:
        written = _written_version(dist, module)
        if written:
            return written
    return _debian_version(dist, name, versions) or stated


def packages(versions: bytes = b"") -> bytes:
    """JSON text of the installed packages, by name. VERSIONS has lines of
    Debian's: a name without python3-, and a version. In the fork server."""
    metadata = importlib.import_module("importlib.metadata")
    known = dict(line.split(" ", 1) for line in
                 versions.decode("utf-8", "replace").splitlines()
                 if " " in line)
    found: dict[str, dict[str, Any]] = {}
    for dist in metadata.distributions():
        stated = _stated(dist)
        name = stated.get("Name", "")
        if name and name.lower() not in found:
            version = _version(dist, name, stated.get("Version", ""), known)
            found[name.lower()] = {
                "name": name, "version": version,
                "preloaded": any(map(_is_loaded, _top_modules(dist, name))),
            }
    rows = [found[name] for name in sorted(found)]
    return json.dumps({"packages": rows}).encode()


def sources() -> bytes:
    """What the imports have read, as paths with a NUL behind each: files of
    modules, their compiled forms (which may be missing), and the directories
    that are searched."""
    found = set(sys.path)
    for module in list(_modules.values()):
        spec = getattr(module, "__dict__", {}).get("__spec__")
        for name in ("origin", "cached"):
            path = getattr(spec, name, None)
            if isinstance(path, str):
                found.add(path)
    return b"".join(os.fsencode(path) + b"\0" for path in sorted(found)
                    if path.startswith("/"))


def rehearse_fork() -> None:
    """after_fork() without the libraries' hooks. In the fork server."""
    _main_thread._native_id = _thread.get_native_id()
    reseed()


def after_fork() -> None:
    """Make a new guest different from others. The main thread still has the
    fork server's thread id, which is one of the host's."""
    _main_thread._native_id = _thread.get_native_id()
    run_hooks()
    reseed()
