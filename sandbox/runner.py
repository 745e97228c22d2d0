"""runner - the Python half of a guest: runs one job and tells its outcome.

C compiles this text in, executes it once in the zygote, sets `emit`, and
calls preload() and packages() there, after_fork() and rehearse() in a new
guest, and run() once when its job arrives.

What runs here shares its interpreter with a hostile program. That program
can spoil its own outcome and nothing else; the worker checks every byte. The
aim is only that a program which breaks things by accident, or for fun, still
gets a true answer:
  - this file has builtins of its own, and copies of traceback and linecache,
    so that replacing those of the program changes nothing here;
  - the user's code is entered through _guarded() alone, which lets nothing
    out, and only what _guarded() called is ever interrupted by the deadline.
"""

import builtins

__builtins__ = dict(vars(builtins))  # what every function below looks names
                                     # up in, whatever the program replaces

import _signal
import _thread
import ast
import asyncio
import atexit
import base64
import collections
import gc
import importlib
import importlib.machinery
import importlib.util
import io
import json
import linecache
import os
import random
import re
import signal
import sys
import tempfile
import textwrap
import threading
import time
import types
import uuid

# Kinds of frame, shared with the worker.
DISPLAY, VALUE, ERROR, DROPPED = 1, 2, 3, 4

FILE = "<exec>"
MESSAGE_BYTES = 64 << 10    # of a traceback
CONTEXT_LINES = 4           # above and below the failing line
CONTEXT_WIDTH = 400         # characters of such a line
FRAMES = 1000               # kept of a traceback, half at either end
NAME_CHARS = 200            # of a class name
KEY_CHARS = 1000            # of a mapping's key
PLAIN_CHARS = 64 << 10      # of a text/plain
DEPTH = 64                  # of lists in lists
INT_BITS = 332193           # 100,000 digits: more take too long to write
RESERVE = 4 << 20           # bytes kept for telling of a MemoryError
AGAIN_S = 0.02              # a swallowed deadline comes back after this
FORMAT_S = 0.1              # what formatting a traceback may take after it

_GLOBALS = globals()
_AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def emit(kind, payload):
    """Send one frame to the worker. Replaced by C."""


# --- the captured: what the program could replace in other modules ---------

_all_tasks = asyncio.all_tasks
_b64encode = base64.b64encode
_compile, _eval, _repr_of, _str_of = compile, eval, repr, str
_cwd = os.getcwd
_environ = os.environ
_exit_hooks = atexit._run_exitfuncs
_gather = asyncio.gather
_join = threading._shutdown
_loads = json.loads
_thread_count, _thread_id = _thread._count, _thread.get_ident
_MAIN_THREAD = threading.main_thread().ident
_modules = sys.modules
_new_loop = asyncio.new_event_loop
_quote = json.encoder.encode_basestring_ascii
_set_itimer = _signal.setitimer  # of _signal: calls of C, that no handler
_set_signal = _signal.signal     # can cut in on between their first and last
_mask, _ALL_SIGNALS = _signal.pthread_sigmask, range(1, _signal.NSIG)
_set_trace, _set_profile = sys.settrace, sys.setprofile
_get_depth, _set_depth = sys.getrecursionlimit, sys.setrecursionlimit
_get_digits = getattr(sys, "get_int_max_str_digits", lambda: 0)
_set_digits = getattr(sys, "set_int_max_str_digits", lambda limit: None)
_lone_surrogates = re.compile("[\ud800-\udfff]").sub
_FileIO, _BytesIO, _Text = io.FileIO, io.BytesIO, io.TextIOWrapper
_Reader, _Writer = io.BufferedReader, io.BufferedWriter
_Module, _Coroutine = types.ModuleType, types.CoroutineType
_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)

# Slots of the base types, read past whatever a class or object says of itself.
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_name_of = type.__dict__["__name__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_args_of = BaseException.__dict__["args"].__get__
_code_of = SystemExit.__dict__["code"].__get__
_lineno_of = SyntaxError.__dict__["lineno"].__get__
_filename_of = SyntaxError.__dict__["filename"].__get__


def _private(name):
    """A copy of a library module, with this file's builtins."""
    module = _Module(name)
    vars(module)["__builtins__"] = __builtins__
    loader = importlib.util.find_spec(name).loader
    exec(loader.get_code(name), vars(module))
    return module


def _keep_frames(walk):
    """WALK over a traceback, without our own frames and the middle of a
    very long one."""
    def kept(tb):
        found = [pair for pair in walk(tb)
                 if pair[0].f_globals is not _GLOBALS]
        if len(found) > FRAMES:
            del found[FRAMES // 2:-(FRAMES // 2)]
        return iter(found)
    return kept


_linecache = _private("linecache")
_traceback = _private("traceback")
_traceback.linecache = _linecache
for _name in ("walk_tb", "_walk_tb_with_full_positions"):
    if hasattr(_traceback, _name):
        setattr(_traceback, _name, _keep_frames(getattr(_traceback, _name)))


# --- the deadline ------------------------------------------------------------

class _Timeout(BaseException):
    """Raised in the user's code when its time is up."""


_Timeout.__module__ = "builtins"
_Timeout.__name__ = _Timeout.__qualname__ = "Timeout"


class _Clock:
    """expired: the worker has said that time is up. inside: how many
    _guarded() calls are under way. last: what was raised last."""
    expired = False
    inside = 0
    last = None


def _timeout():
    return _Timeout("the time limit was reached")


def _on_deadline(_signum, frame):
    """Raise in the user's code, and until it gets out again and again; never
    in ours, where it could lose what is about to be told."""
    _Clock.expired = True
    _set_signal(signal.SIGALRM, _on_deadline)
    _set_itimer(_TIMERS[0], AGAIN_S)
    if _Clock.inside and frame and frame.f_globals is not _GLOBALS:
        _Clock.last = error = _timeout()
        raise error from None


def _check_clock():
    """Where the program calls us: what it does nothing else but that would
    hardly ever be interrupted outside of our own code."""
    if _Clock.expired and _thread_id() == _MAIN_THREAD:
        raise _timeout() from None


def _guarded(call, *args):
    """Call what is, or may reach, the user's code. Returns its value and
    None, or None and what it raised."""
    if _Clock.expired:
        return None, _Clock.last or _timeout()
    return _guarded_late(call, *args)


def _guarded_late(call, *args):
    """_guarded(), even though time may be up."""
    _Clock.inside += 1
    try:
        return call(*args), None
    except BaseException as exc:
        return None, exc
    finally:
        _Clock.inside -= 1
        _set_trace(None)
        _set_profile(None)


def _hush():
    """Stop what could still interrupt us."""
    _set_trace(None)
    _set_profile(None)
    for timer in _TIMERS:
        _set_itimer(timer, 0)


# --- what is sent ------------------------------------------------------------

_send_lock = _thread.RLock()


def _send(kind, payload):
    """One frame; threads of the program may call display() as well."""
    with _send_lock:
        try:
            emit(kind, payload)
        except Exception:
            pass  # the program closed the pipe: the worker will tell


def _send_error(job, payload):
    """The one ERROR frame of a job. Between its mark and the frame there is
    no moment at which a signal handler could run."""
    with _send_lock:
        if job.failed:
            return
        try:
            job.failed = True
            emit(ERROR, payload)
        except Exception:
            pass


def _type_name(cls):
    return _name_of(cls)[:NAME_CHARS].replace("\0", "?")


def _repr(obj):
    """repr(), whatever it does: a str, not bounded."""
    try:
        return str.__str__(_repr_of(obj))
    except _Timeout:
        raise
    except BaseException as exc:
        return f"<repr failed: {_type_name(type(exc))}>"


def _json_string(text):
    """TEXT as JSON, ASCII only, without lone surrogates."""
    quoted = _quote(text)
    if "\\ud" in quoted:
        quoted = _quote(_lone_surrogates("\ufffd", text))
    return quoted


def _fit(text, room):
    """TEXT as a JSON string of at most ROOM characters, cut if need be."""
    if len(text) <= room:
        quoted = _json_string(text)
        if len(quoted) <= room:
            return quoted
    low, high = 0, min(len(text), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if len(_json_string(text[:middle])) + 3 <= room:
            low = middle
        else:
            high = middle - 1
    return _json_string(text[:low] + "...")


class _Overflow(Exception):
    """A value that JSON cannot hold, or not in the room there is."""


class _Encoder:
    """Writes a value as JSON text. Believes base types only: what a class
    overrides of int, list or dict is not called."""

    def __init__(self, room):
        self.room = room
        self.parts = []
        self.open = {}  # ids of the containers we are in

    def put(self, text):
        self.room -= len(text)
        if self.room < 0:
            raise _Overflow
        self.parts.append(text)

    def write(self, obj):
        for base in _mro_of(type(obj)):
            write = _ENCODERS.get(base)
            if write:
                return write(self, obj)
        return self.text(_repr(obj))

    def text(self, text):
        if len(text) > self.room:
            raise _Overflow
        self.put(_json_string(text))

    def constant(self, obj):
        self.put("true" if obj is True else
                 "false" if obj is False else "null")

    def string(self, obj):
        self.text(str.__str__(obj))

    def integer(self, obj):
        bits = int.bit_length(obj)
        if bits > INT_BITS:
            self.text(f"<int of {bits} bits>")
        else:
            self.put(int.__repr__(obj))

    def real(self, obj):
        text = float.__repr__(obj)
        self.put("null" if text in ("nan", "inf", "-inf") else text)

    def enter(self, obj, marker):
        """False, with MARKER written, for a cycle or one too deep."""
        if id(obj) in self.open or len(self.open) >= DEPTH:
            self.text(marker)
            return False
        self.open[id(obj)] = True
        return True

    def array(self, obj, items):
        if not self.enter(obj, "[...]"):
            return
        glue = "["
        for item in items(obj):
            self.put(glue)
            self.write(item)
            glue = ","
        self.put("]" if glue == "," else "[]")
        del self.open[id(obj)]

    def mapping(self, obj):
        if not self.enter(obj, "{...}"):
            return
        glue, seen = "{", set()
        for key, item in dict.items(obj):
            name = _key(key)
            if name in seen:
                raise _Overflow  # {1: _, "1": _}: no object can hold both
            seen.add(name)
            self.put(glue)
            self.text(name)
            self.put(":")
            self.write(item)
            glue = ","
        self.put("}" if seen else "{}")
        del self.open[id(obj)]

    def numpy_scalar(self, obj):
        kind = _numpy.generic.dtype.__get__(obj).kind
        if kind in "biu":
            self.write(_numpy.generic.item(obj))
        elif kind == "f":
            self.real(float(obj))
        elif kind == "U":
            self.string(obj)
        else:
            self.text(_repr(obj))

    def numpy_array(self, obj):
        array = _numpy.ndarray
        if type(obj) not in (array, _numpy.matrix, _numpy.memmap):
            return self.text(_repr(obj))  # masked arrays and the like
        if array.size.__get__(obj) * 2 > self.room:
            raise _Overflow  # before it becomes a list
        kind = array.dtype.__get__(obj).kind
        if kind in "biufUO":
            return self.write(array.tolist(obj))
        return self.text(_repr(obj))


def _key(key):
    """A mapping's key as text."""
    if issubclass(type(key), str):
        text = str.__str__(key)
    else:
        try:
            text = str.__str__(_str_of(key))
        except _Timeout:
            raise
        except BaseException as exc:
            text = f"<str failed: {_type_name(type(exc))}>"
    return text if len(text) <= KEY_CHARS else text[:KEY_CHARS] + "..."


def _array_of(base):
    items = base.__iter__
    return lambda encoder, obj: encoder.array(obj, items)


_ENCODERS = {base: _array_of(base) for base in
             (list, tuple, set, frozenset, collections.deque)}
_ENCODERS.update({
    type(None): _Encoder.constant, bool: _Encoder.constant,
    int: _Encoder.integer, float: _Encoder.real, str: _Encoder.string,
    dict: _Encoder.mapping,
})
_PLAIN = frozenset(_ENCODERS) | {bytes, complex, type, types.FunctionType}
_numpy = None


def _know_numpy():
    """Learn numpy's types, once it has been imported."""
    global _numpy
    module = _modules.get("numpy")
    if _numpy is None and hasattr(module, "ndarray"):
        _numpy = module
        _ENCODERS[module.generic] = _Encoder.numpy_scalar
        _ENCODERS[module.ndarray] = _Encoder.numpy_array


def _encode(value, room):
    """VALUE as JSON text of at most ROOM characters."""
    _know_numpy()
    encoder = _Encoder(room)
    digits = _get_digits()
    _set_digits(0)
    try:
        encoder.write(value)
        return "".join(encoder.parts)
    except _Timeout:
        raise
    except Exception:
        text = str.__str__(value) if type(value) is str else _repr(value)
        return _fit(text, room)
    finally:
        _set_digits(digits)


# --- rich values -------------------------------------------------------------

_REPRS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_pdf_", "application/pdf"),
    ("_repr_json_", "application/json"),
    ("_repr_javascript_", "application/javascript"),
)
_REPR_NAMES = frozenset(["_repr_mimebundle_"] + [row[0] for row in _REPRS])


def _rich_names(cls):
    """Which _repr_*_ methods CLS or a base of it defines."""
    found = set()
    if cls not in _PLAIN:
        for base in _mro_of(cls):
            found |= _REPR_NAMES & _dict_of(base).keys()
    return found


def _ask(obj, name, **options):
    """What a _repr_*_ method gives, None if nothing or if it fails."""
    try:
        data = getattr(obj, name)(**options)
    except _Timeout:
        raise
    except BaseException:
        return None
    return data[0] if type(data) is tuple and data else data


def _is_figure(obj):
    figure = getattr(_modules.get("matplotlib.figure"), "Figure", None)
    return isinstance(figure, type) and issubclass(type(obj), figure)


def _draw(figure):
    """A figure as PNG, with its labels inside the picture."""
    buffer = _BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return buffer.getvalue()


def _rich(obj, names):
    """Media type to data, of the _repr_*_ methods NAMES that OBJ has."""
    found = {}
    if "_repr_mimebundle_" in names:
        bundle = _ask(obj, "_repr_mimebundle_", include=None, exclude=None)
        if isinstance(bundle, dict):
            found.update(dict.items(bundle))
    for name, media in _REPRS:
        if name in names and media not in found:
            found[media] = _ask(obj, name)
    return {media: data for media, data in found.items()
            if data is not None and isinstance(media, str)}


def _media(data, room):
    """The data of one media type as JSON text."""
    if isinstance(data, str):
        return _json_string(str.__str__(data))
    if isinstance(data, (bytes, bytearray, memoryview)):
        return _json_string(_b64encode(data).decode("ascii"))
    return _encode(data, room)


class _Job:
    """One run: its source, what it may still display, whether it failed."""

    def __init__(self, limits):
        self.lines = []
        self.value_room = limits["value_bytes"]
        self.displays = limits["displays"]
        self.room = limits["displays_bytes"]
        self.dropped = 0
        self.failed = False
        self.drawn = {}  # id of a figure: (the figure, hash of its picture)
        self.reserve = None

    def has_room(self):
        """Whether one more may be displayed; if not, it counts as dropped,
        and need not be made."""
        if self.displays > 0 and self.room > 0:
            return True
        self.dropped += 1
        return False

    def show(self, bundle):
        """Send media types and their data, if there is room."""
        parts = [f"{_json_string(media[:NAME_CHARS])}:"
                 f"{_media(data, self.room)}"
                 for media, data in bundle.items()]
        payload = ("{" + ",".join(parts) + "}").encode("ascii")
        if len(payload) > self.room or self.displays <= 0:
            self.dropped += 1
            return
        self.displays -= 1
        self.room -= len(payload)
        _send(DISPLAY, payload)

    def show_figure(self, figure, again):
        """Draw and send a figure; one whose very picture was sent before
        only if AGAIN."""
        if not self.has_room():
            return
        picture = _draw(figure)
        seen = self.drawn.get(id(figure), (None, None))[1]
        if again or seen != hash(picture):
            self.drawn[id(figure)] = (figure, hash(picture))
            self.show({"text/plain": _plain_text(figure),
                       "image/png": picture})

    def show_value(self, value, text):
        """The final value's own pictures, if its type has any."""
        names = _rich_names(type(value))
        if _is_figure(value):
            self.show_figure(value, False)
        elif names:
            bundle = _rich(value, names)
            if any(media != "text/plain" for media in bundle):
                self.show({"text/plain": text(), **bundle})


_job = _Job({"value_bytes": 0, "displays": 0, "displays_bytes": 0})


def _plain_text(obj):
    text = _repr(obj)
    return text if len(text) <= PLAIN_CHARS else text[:PLAIN_CHARS] + "..."


def display(*objects, raw=False, **_options):
    """Show objects as pictures, HTML or text, in the order of the calls."""
    _check_clock()
    for obj in objects:
        if _is_figure(obj):
            _job.show_figure(obj, True)
        elif _job.has_room():
            if raw and isinstance(obj, dict):
                bundle = {media: data for media, data in dict.items(obj)
                          if isinstance(media, str)}
            else:
                bundle = {"text/plain": _plain_text(obj)}
                bundle.update(_rich(obj, _rich_names(type(obj))))
            _job.show(bundle)


# --- matplotlib --------------------------------------------------------------

# Fonts that hold Chinese, Japanese and Korean, best first.
_WIDE_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback",
)
_WIDE_SAMPLE = "\u4e2d\u6587 \u65e5\u672c\u8a9e"
_figures = None  # matplotlib's table of open figures


def _open_figures():
    """(number, figure) of the open figures, in order of their numbers."""
    if _figures is None:
        return []
    return [(manager.num, manager.canvas.figure)
            for manager in _figures.get_all_fig_managers()]


def show(*_args, **_options):
    """plt.show(): emit and close all open figures."""
    _check_clock()
    for number, figure in _open_figures():
        try:
            _job.show_figure(figure, False)
        finally:
            _figures.destroy(number)


def _show_one(figure, warn=True):
    """Figure.show(): the same for one figure."""
    _check_clock()
    _job.show_figure(figure, False)
    for number, opened in _open_figures():
        if opened is figure:
            _figures.destroy(number)


def _wide_font(manager):
    """The file of an installed font for what DejaVu lacks, or None."""
    files = {font.name: font.fname for font in reversed(manager.ttflist)}
    for name in _WIDE_FONTS:
        if name in files:
            return files[name]
    return None


def _widen_fonts(manager):
    """Draw what the chosen font lacks with a wide one. Done where fonts are
    looked up, because styles and programs replace the list of families."""
    wide = _wide_font(manager)
    find = getattr(manager, "_find_fonts_by_props", None)
    if not wide or not find:
        return

    def find_and_widen(prop, fontext="ttf", *args, **options):
        found = find(prop, fontext, *args, **options)
        if fontext == "ttf" and wide not in found:
            found.append(wide)
        return found

    manager._find_fonts_by_props = find_and_widen


def _adopt_pyplot(pyplot):
    """Make a pyplot just imported show its figures here."""
    global _figures
    _figures = pyplot._pylab_helpers.Gcf
    pyplot.show = show
    pyplot.Figure.show = _show_one
    atexit.unregister(_figures.destroy_all)  # they are shown after the hooks
    _widen_fonts(importlib.import_module("matplotlib.font_manager")
                 .fontManager)


class _PyplotFinder:
    """Sees to it that pyplot is adopted whenever it is imported."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def execute_and_adopt(module):
                execute(module)
                _adopt_pyplot(module)

            spec.loader.exec_module = execute_and_adopt
        return spec


# --- failures ----------------------------------------------------------------

def _cut(data, room):
    """UTF-8 DATA, its middle left out if it is longer than ROOM."""
    if len(data) <= room:
        return data
    half = room // 2 - 40
    head = data[:half].decode("utf-8", "ignore").encode()
    tail = data[-half:].decode("utf-8", "ignore").encode()
    note = b"\n[... %d bytes left out ...]\n"
    return head + note % (len(data) - len(head) - len(tail)) + tail


def _utf8(text):
    return _lone_surrogates("\ufffd", text).encode()


def _entries(exc):
    """The traceback's entries that are not ours, outermost first."""
    entry, found = _traceback_of(exc), []
    while entry is not None:
        if entry.tb_frame.f_globals is not _GLOBALS:
            found.append(entry)
        entry = entry.tb_next
    return found


def _failing_line(exc):
    """The line of FILE where it happened, or 0."""
    for entry in reversed(_entries(exc)):
        if entry.tb_frame.f_code.co_filename == FILE:
            return entry.tb_lineno or 0
    if issubclass(type(exc), SyntaxError):
        line = _lineno_of(exc)
        if _filename_of(exc) == FILE and type(line) is int:
            return line
    return 0


def _context(exc, lines):
    """The lines about the failing one, as text that ends the message."""
    line = _failing_line(exc)
    if not 0 < line <= len(lines):
        return ""
    text = ["\n\nCode context:"]
    first = max(line - CONTEXT_LINES, 1)
    for number, found in enumerate(lines[first - 1:line + CONTEXT_LINES]):
        if len(found) > CONTEXT_WIDTH:
            found = found[:CONTEXT_WIDTH] + "..."
        text.append(f"{first + number}: {found}")
    return "\n".join(text)


def _format(exc):
    """The traceback as Python prints it, causes and contexts included."""
    report = _traceback.TracebackException(type(exc), exc, _traceback_of(exc))
    return "".join(report.format())


def _format_plainly(exc):
    """The traceback without calling anything of the exception's."""
    entries = _entries(exc)
    lines = ["Traceback (most recent call last):"] if entries else []
    for entry in entries[-20:]:
        code = entry.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {entry.tb_lineno},'
                     f" in {code.co_name}")
    words = [str.__str__(arg)[:MESSAGE_BYTES] for arg in _args_of(exc)[:4]
             if issubclass(type(arg), str)]
    name = _type_name(type(exc))
    lines.append(f"{name}: {', '.join(words)}" if words else name)
    return "\n".join(lines)


def _free_memory(job, exc):
    """Let go of what a MemoryError left in the frames it came through."""
    job.reserve = None
    while exc is not None:
        for entry in _entries(exc):
            try:
                entry.tb_frame.clear()
            except RuntimeError:
                pass  # still running
        exc = exc.__context__ if type(exc) is MemoryError else None


def _is_success(exc):
    """sys.exit(), sys.exit(0)."""
    if not issubclass(type(exc), SystemExit):
        return False
    code = _code_of(exc)
    return code is None or (isinstance(code, int) and int.__eq__(code, 0))


def _say_exit(exc):
    """What CPython does with sys.exit("text")."""
    code = _code_of(exc)
    if code is not None and not isinstance(code, int):
        sys.stderr.write(_str_of(code) + "\n")


def _fail(job, exc):
    """Tell of the exception that ended the program; of the first only."""
    if job.failed or _is_success(exc):
        return
    if issubclass(type(exc), MemoryError):
        _free_memory(job, exc)
    if issubclass(type(exc), SystemExit):
        _guarded(_say_exit, exc)
    if _Clock.expired:
        _set_itimer(_TIMERS[0], FORMAT_S)
    text, _ = _guarded_late(_format, exc)
    if text is None:
        text = _format_plainly(exc)
    name = ("timeout" if type(exc) is _Timeout else _type_name(type(exc)))
    message = _cut(_utf8(text.rstrip("\n")), MESSAGE_BYTES)
    context = _utf8(_context(exc, job.lines))
    _send_error(job, _utf8(name) + b"\0" + message + context)


# --- the program -------------------------------------------------------------

def _text_of(code):
    """Source text: newlines as the compiler sees them, dedented if its first
    line is indented (only then, for dedenting touches strings too)."""
    text = (code or b"").decode("utf-8")  # C gives None for no bytes
    if text[:1] == "\ufeff":
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for line in text.split("\n", 100):
        if line.strip():
            if line[0] in " \t":
                text = textwrap.dedent(text)
            break
    return text


def _prime_lines(job, text):
    """Let tracebacks, warnings and inspect find the source."""
    job.lines = text.split("\n")
    lines = [line + "\n" for line in job.lines]
    linecache.cache[FILE] = (len(text), None, lines, FILE)
    if len(text) > 1000:  # no carets under a line of megabytes
        lines = [line if len(line) <= 1000 else "\n" for line in lines]
    _linecache.cache[FILE] = (len(text), None, lines, FILE)


def _is_suppressed(lines, node):
    """Whether a semicolon ends the last statement. After it there can be but
    a comment, blanks, continued lines and that semicolon."""
    line = lines[node.end_lineno - 1].encode()
    rest = line[node.end_col_offset:].decode().strip(" \t\f")
    for line in lines[node.end_lineno:]:
        if rest != "\\":
            break
        rest = line.strip(" \t\f")
    return rest[:1] == ";"


def _compile_all(job, text):
    """The code objects of the body and, if it is wanted, of the final
    expression."""
    tree = _compile(text, FILE, "exec", ast.PyCF_ONLY_AST, True)
    last = tree.body[-1] if tree.body else None
    wanted = (type(last) is ast.Expr and
              not _is_suppressed(job.lines, last))
    if wanted:
        tree.body.pop()
    codes = [_compile(tree, FILE, "exec", _AWAITS, True)]
    if wanted:
        tree = ast.Expression(last.value)
        codes.append(_compile(tree, FILE, "eval", _AWAITS, True))
    return codes


def _fresh_main():
    """A new module __main__ for the program, in sys.modules."""
    main = _Module("__main__")
    main.__builtins__ = builtins
    main.__file__ = FILE
    _modules["__main__"] = main
    return vars(main)


def _set_world(env):
    """The environment, arguments and path that the program is to see."""
    for assignment in env:
        name, _, value = assignment.partition("=")
        _environ[name] = value
        if name == "TZ":
            time.tzset()
    builtins.display = display
    sys.argv = [""]
    home = _cwd()
    if sys.path[:1] != [home]:
        sys.path.insert(0, home)


def _read_arguments(arguments):
    """The keyword arguments of main(), integers exact at any size."""
    digits = _get_digits()
    _set_digits(0)
    try:
        found = _loads(arguments)
    finally:
        _set_digits(digits)
    if type(found) is not dict:
        raise TypeError("arguments must be a JSON object")
    return found


def _main_step(names, arguments):
    """A call of the program's main()."""
    def call():
        main = names.get("main")
        if main is None:
            raise NameError("name 'main' is not defined: a run with "
                            "arguments calls main(**arguments)")
        return main(**arguments)
    return call


def _is_awaitable(value):
    if type(value) is _Coroutine:
        return True
    return any("__await__" in _dict_of(base)
               for base in _mro_of(type(value)))


def _program(job, code, call_main, arguments, env):
    """Run all of it; returns the final value."""
    _set_world(env)
    names = _fresh_main()
    text = _text_of(code)
    _prime_lines(job, text)
    if call_main:
        arguments = _read_arguments(arguments)
    # A step is a call and whether what it returns is to be awaited.
    steps = [((lambda code=code: _eval(code, names)), code.co_flags & 0x80)
             for code in _compile_all(job, text)]
    if any(awaits for _, awaits in steps):
        if call_main:
            steps.append((_main_step(names, arguments), True))
        return _drive(_take_steps(None, steps))
    for step, _ in steps:
        value = step()
    if call_main:
        value = _main_step(names, arguments)()
        if _is_awaitable(value):
            return _drive(_take_steps(value, []))
    return value


async def _take_steps(value, steps):
    """The steps in one task; an awaitable VALUE comes before them."""
    if value is not None:
        value = await value
    for step, awaits in steps:
        value = step()
        if awaits and _is_awaitable(value):
            value = await value
    return value


async def _boxed(coroutine, box):
    """Await, and put (value, exception) into BOX: what passes through the
    loop itself would come back with the loop's frames."""
    try:
        box.append((await coroutine, None))
    except BaseException as exc:
        box.append((None, exc))


def _drive(coroutine):
    """Run a coroutine in a loop of its own, then end what it left there."""
    loop, box = _new_loop(), []
    task = loop.create_task(_boxed(coroutine, box))
    try:
        loop.run_until_complete(task)
    except _Timeout:
        if not box:
            _interrupt(task)
        if not box:
            raise
    if not _Clock.expired:
        _end_loop(loop)
    value, exc = box[0]
    if exc is not None:
        raise exc
    return value


def _interrupt(task):
    """Raise where the program awaits, for a traceback that says so."""
    try:
        task.get_coro().throw(_timeout())
    except (StopIteration, ValueError, RuntimeError):
        pass  # done, or running


def _end_loop(loop):
    """Cancel the tasks that are left, shut down generators and threads."""
    left = _all_tasks(loop)
    for task in left:
        task.cancel()

    async def finish():
        await _gather(*left, return_exceptions=True)
        await loop.shutdown_asyncgens()
        await loop.shutdown_default_executor()

    loop.run_until_complete(finish())
    loop.close()


def _present(job, value):
    """Send the final value."""
    known = []

    def text():
        if not known:
            known.append(_plain_text(value))
        return known[0]

    _send(VALUE, _encode(value, job.value_room).encode("ascii"))
    if type(value) not in _PLAIN:
        job.show_value(value, text)


# --- streams -----------------------------------------------------------------

def _open_stream(fd, name):
    """A text stream over a descriptor, or None if that is closed."""
    try:
        raw = _FileIO(fd, "r" if name == "<stdin>" else "w", closefd=False)
    except OSError:
        return None
    raw.name = name
    if name == "<stdin>":
        stream = _Text(_Reader(raw), "utf-8", "replace")
        stream.mode = "r"
    else:
        stream = _Text(_Writer(raw), "utf-8", "surrogatepass", "\n", True)
        stream.mode = "w"
    return stream


def _open_streams(fds):
    """New sys.stdin, sys.stdout and sys.stderr. Returns them."""
    names = ("stdin", "stdout", "stderr")
    streams = [_open_stream(fd, f"<{name}>") for fd, name in zip(fds, names)]
    for name, stream in zip(names, streams):
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    return streams


def _flush_users():
    """Flush what the program may have put in the streams' place."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name, None)
        if stream is not None:
            stream.flush()


def _flush_ours(streams):
    for stream in streams[1:]:
        try:
            _Text.flush(stream)
        except (ValueError, OSError, TypeError):
            pass  # closed or detached by the program


# --- one run -----------------------------------------------------------------

def _show_left():
    """Figures that nobody showed."""
    for number, figure in _open_figures():
        _, exc = _guarded(_job.show_figure, figure, False)
        if exc is not None:
            if type(exc) is _Timeout:
                raise exc
            print(f"figure {number} could not be drawn: {_format(exc)}",
                  file=sys.stderr)


def _work(job, code, call_main, arguments, env):
    """The program itself and its value."""
    value, exc = _guarded(_program, job, code, call_main, arguments, env)
    if _get_depth() < 1000:
        _set_depth(1000)  # what follows must not fail by the program's limit
    if exc is None and value is not None:
        _, exc = _guarded(_present, job, value)
    if exc is not None:
        _fail(job, exc)


def _join_threads():
    """Wait for the threads that are not daemons."""
    if _thread_count():
        _join()


_AFTER = (_join_threads, _exit_hooks, _flush_users, _show_left)


def _settle(job, streams, steps):
    """What comes after the program, in CPython's order."""
    for step in steps:
        _, exc = _guarded(step)
        if exc is not None and (type(exc) is _Timeout or
                                step is _join_threads):
            _fail(job, exc)
    _flush_ours(streams)
    if _Clock.expired:
        _fail(job, _Clock.last or _timeout())
    _hush()
    if job.dropped:
        _send(DROPPED, b"%d" % job.dropped)


def _last_words(job, streams, exc):
    """End a run that failed where nothing should have."""
    text = _utf8(_format_plainly(exc))
    _send_error(job, _utf8(_type_name(type(exc))) + b"\0" + text)
    _flush_ours(streams)


def run(code, call_main, arguments, env, limits):
    """Run one job. CODE is UTF-8 source; with CALL_MAIN, ARGUMENTS is the
    JSON text of main()'s; ENV is "NAME=value" texts; LIMITS has value_bytes,
    displays and displays_bytes. Never raises: the outcome is in the frames.
    """
    global _job
    streams = ()
    job = _job = _Job(limits)
    try:
        streams = _open_streams((0, 1, 2))
        job.reserve = bytes(RESERVE)  # from calloc: its pages stay untouched
        _work(job, code, call_main, arguments, env)
        _settle(job, streams, _AFTER)
    except BaseException as exc:
        # A signal handler or a trace function of the program got to us. It
        # may come again at any call: block signals, with what is due already
        # spent on the first of two tries.
        try:
            _mask(signal.SIG_BLOCK, _ALL_SIGNALS)
        except BaseException:
            pass
        try:
            _hush()
        except BaseException:
            pass
        _last_words(job, streams, exc)


# --- before any job ----------------------------------------------------------

def _warm_library():
    """The caches of what nearly every program touches."""
    text = "import os\nasync def f(): return 1\ntry:\n 1/0\nexcept OSError: 0"
    compile(ast.parse(text), "<warm>", "exec")
    json.loads(json.dumps({"a": [1, 2.5, None, "\u00e9"]}))
    textwrap.dedent("  a\n  b")
    base64.b64decode(base64.b64encode(b"warm"))
    loop = asyncio.new_event_loop()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    try:
        raise ValueError
    except ValueError as exc:
        _format(exc)


def _warm_numpy():
    if "numpy" not in _modules:
        return
    _know_numpy()
    numpy = _numpy
    _encode(numpy.linspace(0, 1, 5), 1000)
    repr(numpy.random.default_rng(1).normal(size=(4, 4)) @ numpy.eye(4))


def _warm_pandas():
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


def _warm_matplotlib():
    """Draw one figure, so that fonts are found and read."""
    if "matplotlib" not in _modules:
        return
    pyplot = importlib.import_module("matplotlib.pyplot")
    wide = _wide_font(importlib.import_module("matplotlib.font_manager")
                      .fontManager)
    figure, axes = pyplot.subplots()
    axes.plot([1, 2, 3], label="warm")
    axes.bar([1, 2], [3, 4])
    axes.set_title("Warm 0123 $x^2$" + (_WIDE_SAMPLE if wide else ""))
    axes.set_xlabel("x")
    axes.legend()
    for kind in ("png", "svg"):
        figure.savefig(io.BytesIO(), format=kind, bbox_inches="tight")
    pyplot.close("all")
    # A font in these caches is an open file, and a guest closes those.
    for cached in (
            getattr(importlib.import_module("matplotlib.font_manager"),
                    "_get_font", None),
            getattr(importlib.import_module("matplotlib.mathtext")
                    .MathTextParser, "_parse_cached", None)):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()


_seeders = [random.seed]


def _find_generators():
    """Note the random generators that libraries keep, and the one behind
    numpy.random: all children would draw the same of them."""
    kinds = [random.Random]
    if _numpy is not None:
        kinds.append(_numpy.random.RandomState)
        _seeders.append(_numpy.random.seed)
    _seeders.extend(obj.seed for obj in gc.get_objects()
                    if type(obj) in kinds)


def preload(words, python_path):
    """Import the modules WORDS (separated by blanks), with the directories
    of PYTHON_PATH (separated by colons) added to sys.path, and do once what
    every child would do again. An ImportError goes up. In the zygote."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    for folder in python_path.split(":"):
        if folder and folder not in sys.path:
            sys.path.append(folder)
    for word in words.split():
        importlib.import_module(word)
    for warm in (_warm_library, _warm_numpy, _warm_pandas, _warm_matplotlib):
        try:
            warm()
        except Exception as exc:  # slower, but right without
            print(f"{warm.__name__}: {exc!r}", file=sys.stderr)
    _find_generators()
    gc.collect()
    gc.freeze()


def _top_modules(dist, name):
    """The top-level modules that a distribution brings."""
    listed = (dist.read_text("top_level.txt") or "").split()
    if not listed:
        files = [str(path) for path in dist.files or []]
        listed = {path.split("/")[0].partition(".")[0] for path in files
                  if path.endswith((".py", ".so"))}
    return set(listed) | {name.lower().replace("-", "_")}


def packages():
    """JSON text of the installed packages, sorted by name. In the zygote."""
    metadata = importlib.import_module("importlib.metadata")
    found = {}
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


def after_fork():
    """Make a new guest differ from its brothers, and listen to its worker."""
    for seed in _seeders:
        seed()
    tempfile._name_sequence = None
    uuid._node = uuid._last_timestamp = None
    _Clock.expired, _Clock.inside, _Clock.last = False, 0, None
    _set_signal(signal.SIGXCPU, _on_deadline)
    _set_signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        _set_signal(ignored, _signal.SIG_IGN)


_REHEARSAL = (
    b"import sys\nx = [i for i in range(3)]\nprint(x)\n{'a': x, 'b': 'c'}",
    b"print('rehearsal', file=sys.stderr)\nraise ValueError('rehearsal')",
)


def _rehearse_once(code, streams):
    """One job, but for what can be done once only in a process."""
    global _job
    _job = job = _Job({"value_bytes": 1 << 16, "displays": 1,
                       "displays_bytes": 1 << 16})
    _work(job, code, False, b"", [])
    _settle(job, streams, _AFTER[2:])


def rehearse():
    """Run two jobs, one of which fails, into pipes that nobody reads, so
    that the pages a job writes are this process's own before there is a job.
    Leaves no trace."""
    global emit, _job
    names = ("stdin", "stdout", "stderr")
    names += tuple(f"__{name}__" for name in names) + ("argv",)
    kept = {name: getattr(sys, name) for name in names}
    kept_main, kept_emit = _modules.get("__main__"), emit
    kept_path, kept_job = sys.path[:], _job
    fds = os.pipe() + os.pipe()
    os.close(fds[1])
    emit = _rehearsed
    try:
        streams = _open_streams((fds[0], fds[3], fds[3]))
        for code in _REHEARSAL:
            _rehearse_once(code, streams)
    finally:
        emit, _job = kept_emit, kept_job
        _modules["__main__"] = kept_main
        sys.path[:] = kept_path
        for name, value in kept.items():
            setattr(sys, name, value)
        for cache in (linecache.cache, _linecache.cache):
            cache.pop(FILE, None)
        builtins.__dict__.pop("display", None)
        for fd in (fds[0], fds[2], fds[3]):
            os.close(fd)


def _rehearsed(_kind, _payload):
    """Where a rehearsal's frames go."""


sys.meta_path.insert(0, _PyplotFinder)
if "matplotlib.pyplot" in sys.modules:
    _adopt_pyplot(sys.modules["matplotlib.pyplot"])
