"""display - values as pictures, HTML and text: display(), the final value.

A type offers the _repr_*_ methods that notebooks know. A figure of matplotlib
is drawn here.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import VALUE, fit, send
from .deadline import Timeout, check_clock
from .job import REPR, STRICT, Job, Now
from .own import dict_of, mro_of
from .tables import table_of
from .texts import shorten
from .values import PLAIN, encode, encode_strictly, safe_repr

import io
import sys
from typing import Any, Callable, Iterable, Optional

_BytesIO = io.BytesIO
_modules = sys.modules

PLAIN_CHARS = 64 << 10      # of a text/plain, at most
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
_REPR_NAMES = frozenset(["_repr_mimebundle_", "_ipython_display_"] +
                        [row[0] for row in _REPRS])


def _rich_names(cls: type) -> set[str]:
    """The _repr_*_ methods that CLS or a base of it defines."""
    found: set[str] = set()
    if cls not in PLAIN:
        for base in mro_of(cls):
            found |= _REPR_NAMES & dict_of(base).keys()
    return found


def _ask(obj: Any, name: str, **options: Any) -> Any:
    """The result of a _repr_*_ method; None if there is none or it fails."""
    try:
        data = getattr(obj, name)(**options)
    except Timeout:
        raise
    except BaseException:
        return None
    return data[0] if type(data) is tuple and data else data


def _rich(obj: Any, names: Iterable[str]) -> dict[str, Any]:
    """Media types and their data, from the _repr_*_ methods NAMES that OBJ
    has."""
    found: dict[str, Any] = {}
    if "_repr_mimebundle_" in names:
        bundle = _ask(obj, "_repr_mimebundle_", include=None, exclude=None)
        if isinstance(bundle, dict):
            found.update(dict.items(bundle))
    for name, media in _REPRS:
        if name in names and media not in found:
            found[media] = _ask(obj, name)
    found.update(table_of(obj))
    return {media: data for media, data in found.items()
            if data is not None and isinstance(media, str)}


def _plain_text(obj: Any) -> str:
    return shorten(safe_repr(obj), PLAIN_CHARS)


def _is_figure(obj: Any) -> bool:
    figure = getattr(_modules.get("matplotlib.figure"), "Figure", None)
    return isinstance(figure, type) and issubclass(type(obj), figure)


def _draw(figure: Any) -> bytes:
    """A figure as PNG, with its labels inside the picture."""
    buffer = _BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return buffer.getvalue()


def show_figure(job: Job, figure: Any, again: bool) -> None:
    """Draw and send a figure. A picture that was sent before is sent only if
    AGAIN is set."""
    if not job.has_room():
        return
    picture = _draw(figure)
    seen = job.drawn.get(id(figure), (None, None))[1]
    if again or seen != hash(picture):
        job.drawn[id(figure)] = (figure, hash(picture))
        job.show({"text/plain": _plain_text(figure), "image/png": picture})


def _show_value(job: Job, value: Any, text: Callable[[], str]) -> None:
    """The final value's own pictures, if its type has any."""
    names = _rich_names(type(value))
    if _is_figure(value):
        show_figure(job, value, False)
    else:
        bundle = _rich(value, names)
        if any(media != "text/plain" for media in bundle):
            job.show({"text/plain": text(), **bundle})


def show_bundle(bundle: dict[str, Any]) -> None:
    """Send media types and their data. A client that has not asked for them
    reads the text in the output."""
    job = Now.job
    if job.has_room():
        job.show(bundle)
    elif not job.shows and "text/plain" in bundle:
        print(bundle["text/plain"])


def _display_one(obj: Any, raw: bool) -> None:
    if raw and isinstance(obj, dict):
        return show_bundle({media: data for media, data in dict.items(obj)
                            if isinstance(media, str)})
    names = _rich_names(type(obj))
    if names == {"_ipython_display_"}:  # it shows itself
        return obj._ipython_display_()
    bundle = {"text/plain": _plain_text(obj)}
    if Now.job.shows:
        bundle.update(_rich(obj, names))
    return show_bundle(bundle)


class DisplayHandle:
    """What display() returns for a display_id. An update is shown anew."""

    def __init__(self, display_id: Any = None) -> None:
        self.display_id = display_id if isinstance(display_id, str) else \
            f"{id(self):x}"

    def display(self, obj: Any, **options: Any) -> None:
        display(obj, **options)

    update = display


def display(*objects: Any, raw: bool = False, display_id: Any = None,
            **_options: Any) -> Optional[DisplayHandle]:
    """Show objects as pictures, HTML or text, in the order of the calls."""
    check_clock()
    for obj in objects:
        if _is_figure(obj):
            show_figure(Now.job, obj, True)
        else:
            _display_one(obj, raw)
    return DisplayHandle(display_id) if display_id else None


def present(job: Job, value: Any) -> None:
    """Send the final value in the format that the job asks for."""
    if job.value == STRICT:
        strict = encode_strictly(value, job.value_room)
        return send(VALUE, strict.encode("ascii"))
    known: list[str] = []

    def text() -> str:
        if not known:
            known.append(_plain_text(value))
        return known[0]

    encoded = fit(safe_repr(value), job.value_room) if job.value == REPR \
        else encode(value, job.value_room)
    send(VALUE, encoded.encode("ascii"))
    if job.shows and type(value) not in PLAIN:
        _show_value(job, value, text)
