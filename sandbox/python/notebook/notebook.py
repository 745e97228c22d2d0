"""notebook - serves the modules of IPython that programs import.

The real IPython takes a third of a second to import, and its display() would
reach no client. So `import IPython` finds small modules here, with the classes
whose objects have rich forms, and a shell object that runs magics. They are
made when they are first imported.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .display import DisplayHandle, display
from .stand_ins import hide_in

import base64
import builtins
import importlib
import importlib.machinery
import io
import os
import sys
import types
import wave
from html import escape
from typing import Any, Callable, Optional

_ModuleType, _ModuleSpec = types.ModuleType, importlib.machinery.ModuleSpec
_b64encode, _fspath, _getframe = base64.b64encode, os.fspath, sys._getframe
_escape, _open, _splitext = escape, open, os.path.splitext
_VERSION = (8, 31, 0)       # of the IPython whose names these are
_LIBRARIES = "-packages" + os.sep  # in the file name of a library


class DisplayObject:
    """An object with the text or bytes of one media type."""
    _binary = False

    def __init__(self, data: Any = None, url: Optional[str] = None,
                 filename: Any = None, metadata: Any = None) -> None:
        self.url, self.filename = url, filename
        self.metadata = metadata
        if data is None and filename is not None:
            mode, coding = ("rb", None) if self._binary else ("r", "utf-8")
            with _open(_fspath(filename), mode, encoding=coding) as file:
                data = file.read()
        self.data = data

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"

    def _data_and_metadata(self) -> Any:
        return (self.data, self.metadata) if self.metadata else self.data

    def reload(self) -> None:
        self.__init__(None, self.url, self.filename,  # type: ignore[misc]
                      self.metadata)


class Pretty(DisplayObject):
    def __repr__(self) -> str:
        return str(self.data)


class _Shown(Pretty):
    """One whose plain text is its source."""


def _kind(name: str, method: str, base: type = DisplayObject) -> type:
    """A class of objects whose METHOD gives their data."""
    def give(self: Any) -> Any:
        return self.data

    return type(name, (base,), {method: give, "__module__":
                                "IPython.core.display"})


TextDisplayObject = _kind("TextDisplayObject", "_repr_text_")
HTML = _kind("HTML", "_repr_html_")
HTML.__html__ = lambda self: self.data  # type: ignore[attr-defined]
Markdown = _kind("Markdown", "_repr_markdown_", _Shown)
SVG = _kind("SVG", "_repr_svg_")
Javascript = _kind("Javascript", "_repr_javascript_")
Latex = _kind("Latex", "_repr_latex_", _Shown)


class Math(DisplayObject):
    def _repr_latex_(self) -> str:
        return "$\\displaystyle {}$".format(str(self.data).strip("$"))


class JSON(DisplayObject):
    def __init__(self, data: Any = None, url: Optional[str] = None,
                 filename: Any = None, expanded: bool = False,
                 metadata: Any = None, root: str = "root",
                 **_options: Any) -> None:
        super().__init__(data, url, filename, metadata)
        if isinstance(self.data, str):
            self.data = importlib.import_module("json").loads(self.data)

    def _repr_json_(self) -> Any:
        return self.data


class GeoJSON(JSON):
    def _repr_mimebundle_(self, include: Any = None,
                          exclude: Any = None) -> dict[str, Any]:
        return {"application/geo+json": self.data}


class Code(_Shown):
    def __init__(self, data: Any = None, url: Optional[str] = None,
                 filename: Any = None, language: Any = None) -> None:
        super().__init__(data, url, filename)


# The first bytes of pictures.
_PICTURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"),
             (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
             (b"RIFF", "image/webp"))


class Image(DisplayObject):
    """A picture from bytes, a file or an address."""
    _binary = True

    def __init__(self, data: Any = None, url: Optional[str] = None,
                 filename: Any = None, format: Any = None,
                 embed: Any = None, width: Any = None, height: Any = None,
                 *_args: Any, metadata: Any = None, alt: Any = None,
                 **_options: Any) -> None:
        if isinstance(data, (str, os.PathLike)):
            name = str(data)
            if name.startswith(("http://", "https://", "data:")):
                data, url = None, name
            else:
                data, filename = None, name
        self.width, self.height, self.alt = width, height, alt
        super().__init__(data, url, filename, metadata)

    def _repr_mimebundle_(self, include: Any = None,
                          exclude: Any = None) -> dict[str, Any]:
        if self.data is None:
            sizes = "".join(f' {name}="{int(size)}"' for name, size in
                            (("width", self.width), ("height", self.height))
                            if size)
            return {"text/html": f'<img src="{_escape(self.url or "")}"'
                                 f"{sizes}>"}
        data = bytes(self.data)
        for head, media in _PICTURES:
            if data.startswith(head):
                return {media: data}
        if b"<svg" in data[:1000]:
            return {"image/svg+xml": data.decode("utf-8", "replace")}
        return {}


def _wave(data: Any, rate: int, normalize: bool) -> bytes:
    """Samples (of one channel, or rows of channels) as a WAV file."""
    numpy = importlib.import_module("numpy")
    samples = numpy.array(data, dtype=float)
    most = numpy.max(numpy.abs(samples), initial=0.0)
    if normalize and most > 0:
        samples = samples / most
    channels = samples.shape[0] if samples.ndim == 2 else 1
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(int(rate))
        out.writeframes((samples.T.clip(-1, 1) * 32767).astype("<h").tobytes())
    return file.getvalue()


class Audio(DisplayObject):
    """Sound from samples, bytes, a file or an address."""
    _binary = True
    _tag, _media = "audio", "audio/wav"

    def __init__(self, data: Any = None, filename: Any = None,
                 url: Optional[str] = None, embed: Any = None,
                 rate: Optional[int] = None, autoplay: bool = False,
                 normalize: bool = True, **_options: Any) -> None:
        if isinstance(data, (str, os.PathLike)):
            name = str(data)
            if name.startswith(("http://", "https://")):
                data, url = None, name
            else:
                data, filename = None, name
        super().__init__(data, url, filename)
        if rate and not isinstance(self.data, (bytes, type(None))):
            self.data = _wave(self.data, rate, normalize)
        ends = _splitext(str(filename or url or ""))[1].lower()
        self._media = {".mp3": "audio/mpeg", ".ogg": "audio/ogg",
                       ".mp4": "video/mp4", ".webm": "video/webm"
                       }.get(ends, self._media)

    def _repr_html_(self) -> str:
        source = _escape(self.url or "")
        if self.data is not None:
            code = _b64encode(bytes(self.data)).decode("ascii")
            source = f"data:{self._media};base64,{code}"
        return f'<{self._tag} controls src="{source}"></{self._tag}>'


class Video(Audio):
    _tag, _media = "video", "video/mp4"


class IFrame:
    def __init__(self, src: Any, width: Any = "100%", height: Any = 400,
                 extras: Any = None, **params: Any) -> None:
        self.src, self.width, self.height = src, width, height

    def __repr__(self) -> str:
        return "<IPython.lib.display.IFrame object>"

    def _repr_html_(self) -> str:
        return (f'<iframe src="{_escape(str(self.src))}" width="{self.width}"'
                f' height="{self.height}" frameborder="0"></iframe>')


class FileLink:
    """A file of the program's, which the answer holds."""

    def __init__(self, path: Any, *_args: Any, **_options: Any) -> None:
        self.path = str(path)

    def __repr__(self) -> str:
        return self.path

    def _repr_html_(self) -> str:
        name = _escape(self.path)
        return f'<a href="{name}">{name}</a>'


class _Captured:
    """What %%capture and capture_output() have caught."""

    def __init__(self, out: Any = None, err: Any = None) -> None:
        self._out, self._err = out or io.StringIO(), err or io.StringIO()
        self.outputs: list[Any] = []

    @property
    def stdout(self) -> str:
        return self._out.getvalue()

    @property
    def stderr(self) -> str:
        return self._err.getvalue()

    def __str__(self) -> str:
        return self.stdout

    def show(self) -> None:
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)

    __call__ = show


class capture_output:
    """A context that catches what is printed."""

    def __init__(self, stdout: bool = True, stderr: bool = True,
                 display: bool = True) -> None:
        self.wanted = stdout, stderr

    def __enter__(self) -> _Captured:
        self.kept = sys.stdout, sys.stderr
        caught = _Captured()
        if self.wanted[0]:
            sys.stdout = caught._out
        if self.wanted[1]:
            sys.stderr = caught._err
        return caught

    def __exit__(self, *_exc: Any) -> None:
        sys.stdout, sys.stderr = self.kept


def clear_output(wait: bool = False) -> None:
    """Does nothing: output that was sent cannot be taken back."""


def update_display(obj: Any, *, display_id: Any = None,
                   **_options: Any) -> None:
    display(obj)


def publish_display_data(data: Any, *_args: Any, **_options: Any) -> None:
    display(data, raw=True)


def set_matplotlib_formats(*_formats: Any, **_options: Any) -> None:
    """Does nothing: figures are PNG."""


def _display_as(cls: type) -> Callable[..., None]:
    """display_html() and the like."""
    def display_data(*objects: Any, raw: bool = False,
                     **_options: Any) -> None:
        for obj in objects:
            display(cls(obj) if raw else obj)
    return display_data


_Shell: Any = None          # magics.py's shell object


def set_shell(shell: Any) -> None:
    global _Shell
    _Shell = shell


def get_ipython() -> Any:
    """The shell object; None for a library, because it would take the shell
    for the real one and use its insides."""
    return None if _LIBRARIES in _getframe(1).f_code.co_filename else _Shell


# Its place among the builtins; see program.py.
builtins.get_ipython = get_ipython  # type: ignore[attr-defined]

_DISPLAY: dict[str, Any] = {
    cls.__name__: cls for cls in
    (DisplayObject, TextDisplayObject, Pretty, HTML, Markdown, Math, Latex,
     SVG, JSON, GeoJSON, Javascript, Image, Audio, Video, IFrame, FileLink,
     Code, DisplayHandle)}
_DISPLAY.update(
    FileLinks=FileLink, display=display, clear_output=clear_output,
    update_display=update_display, publish_display_data=publish_display_data,
    set_matplotlib_formats=set_matplotlib_formats,
    set_matplotlib_close=set_matplotlib_formats)
_DISPLAY.update({f"display_{name}": _display_as(cls) for name, cls in (
    ("html", HTML), ("markdown", Markdown), ("svg", SVG), ("png", Image),
    ("jpeg", Image), ("latex", Latex), ("json", JSON), ("pretty", Pretty),
    ("javascript", Javascript))})
for _thing in (*_DISPLAY.values(), get_ipython, capture_output, _Captured):
    _thing.__module__ = "IPython.core.display"


def _same(given: Any) -> Any:
    return given


def _decorator(*args: Any, **_options: Any) -> Any:
    """@line_magic, @line_magic("name"): the function as it is."""
    return args[0] if args and callable(args[0]) else _same


def _register(kind: str) -> Callable[..., Any]:
    """@register_line_magic and the like."""
    def register(function: Any) -> Any:
        if isinstance(function, str):
            return lambda real: _Shell.register_magic_function(
                real, kind, function) or real
        _Shell.register_magic_function(function, kind)
        return function
    return register


class Magics:
    """A base of classes with magics."""

    def __init__(self, shell: Any = None, **_options: Any) -> None:
        self.shell = shell


def _shell_class() -> Any:
    return type(_Shell)


# Name of a module: its names. A function without arguments makes them.
MODULES: dict[str, Callable[[], dict[str, Any]]] = {
    "IPython": lambda: {
        "get_ipython": get_ipython, "version_info": _VERSION,
        "__version__": ".".join(map(str, _VERSION)),
        "InteractiveShell": _shell_class(),
        "start_ipython": _same, "embed": lambda *a, **o: None},
    "IPython.display": lambda: _DISPLAY,
    "IPython.core": dict,
    "IPython.core.display": lambda: _DISPLAY,
    "IPython.core.display_functions": lambda: _DISPLAY,
    "IPython.core.getipython": lambda: {"get_ipython": get_ipython},
    "IPython.core.interactiveshell": lambda: {
        "InteractiveShell": _shell_class()},
    "IPython.core.magic": lambda: {
        "Magics": Magics, "magics_class": _decorator,
        "line_magic": _decorator, "cell_magic": _decorator,
        "line_cell_magic": _decorator, "needs_local_scope": _same,
        "register_line_magic": _register("line"),
        "register_cell_magic": _register("cell"),
        "register_line_cell_magic": _register("line_cell")},
    "IPython.lib": dict,
    "IPython.lib.display": lambda: _DISPLAY,
    "IPython.utils": dict,
    "IPython.utils.capture": lambda: {"capture_output": capture_output},
    "IPython.utils.io": lambda: {"capture_output": capture_output},
    "matplotlib_inline": dict,
    "matplotlib_inline.backend_inline": lambda: {
        "set_matplotlib_formats": set_matplotlib_formats,
        "set_matplotlib_close": set_matplotlib_formats},
}


class _Finder:
    """Finds these modules, and loads them."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name not in MODULES:
            return None
        return _ModuleSpec(name, _Finder, is_package=True)

    @staticmethod
    def create_module(_spec: Any) -> None:
        return None

    @staticmethod
    def exec_module(module: Any) -> None:
        name = module.__name__
        vars(module).update(MODULES[name]())
        hide_in(module)
        if name == "IPython":
            for part in ("core", "display"):
                importlib.import_module(f"IPython.{part}")


sys.meta_path.insert(0, _Finder)
