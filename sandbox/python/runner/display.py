"""display - values as pictures, HTML and text: display(), the final value.

A type offers the _repr_*_ methods that notebooks know. A figure of matplotlib
is drawn here.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import unseen  # C's: without a frame in the program's tracebacks
from .channels import VALUE, fit, send
from .chartdata import chart_of
from .deadline import Overdue, Timeout, check_clock, limited
from .forms import ask, checked, rich, rich_names
from .job import (CHART, DRAW, JPEG, MAIN, PDF, PNG, REPR, STRICT, SVG, Job,
                  Now)
from .texts import shorten
from .values import (PLAIN, encode, encode_or_none, encode_strictly,
                     safe_repr)

import io
import sys
from typing import Any, Callable, Optional

_BytesIO = io.BytesIO
_modules = sys.modules

PLAIN_CHARS = 64 << 10      # of a text/plain, at most
CHART_MEDIA = "application/vnd.terrarium.chart+json"
MAIN_MEDIA = "application/vnd.terrarium.main+json"

# Forms of a drawn figure: their names for matplotlib. PNG comes first.
_DRAWN = ((PNG, "png", "image/png"), (SVG, "svg", "image/svg+xml"),
          (JPEG, "jpeg", "image/jpeg"), (PDF, "pdf", "application/pdf"))


def _plain_text(obj: Any) -> str:
    """repr(), cut. In an answer with displays one has its own time."""
    def call() -> str:
        return shorten(safe_repr(obj), PLAIN_CHARS)

    job = Now.job
    if not job.shows or type(obj) in PLAIN:
        return call()
    try:
        return limited(job.time_for_forms(), call)
    except Overdue:  # outside of repr() itself
        return "<repr failed: Overdue>"


def _is_figure(obj: Any) -> bool:
    figure = getattr(_modules.get("matplotlib.figure"), "Figure", None)
    return isinstance(figure, type) and issubclass(type(obj), figure)


def _draw(figure: Any, form: str) -> bytes:
    """A figure as a picture, with its labels inside."""
    buffer = _BytesIO()
    figure.savefig(buffer, format=form, bbox_inches="tight")
    return buffer.getvalue()


def _drawn(job: Job, figure: Any) -> dict[str, Any]:
    """A figure in the forms that are asked for."""
    found: dict[str, Any] = {}
    for form, name, media in _DRAWN:
        if not job.wants(form):
            continue
        if form == PNG:
            found[media] = _draw(figure, name)
        elif job.forms & DRAW:
            found[media] = ask(type(figure), media,
                               lambda name=name: _draw(figure, name))
    return found


def _chart(figure: Any) -> Optional[str]:
    """A figure's chart as JSON text."""
    def call() -> Optional[str]:
        found = chart_of(figure)
        return None if found is None else \
            encode_or_none(found, Now.job.room // 2, False)

    return ask(type(figure), "the chart", call)


def _mark(job: Job, main: bool) -> dict[str, str]:
    return {MAIN_MEDIA: "true"} if main and job.forms & MAIN else {}


def show_figure(job: Job, figure: Any, again: bool,
                main: bool = False) -> None:
    """Draw and send a figure. A picture that was sent before is sent only if
    AGAIN is set. MAIN: it is the final value."""
    if not job.has_room():
        return
    found = _drawn(job, figure)
    known = hash(found.get("image/png"))
    seen = job.drawn.get(id(figure), (None, None))[1]
    if not again and seen == known:
        return
    job.drawn[id(figure)] = (figure, known)
    parts = {**_mark(job, main),
             **checked(type(figure), [("text/plain", _plain_text(figure)),
                                      *found.items()])}
    chart = _chart(figure) if job.forms & CHART else None
    if chart is not None:
        parts[CHART_MEDIA] = chart
    job.show(parts)


def _is_image(obj: Any) -> bool:
    image = getattr(_modules.get("PIL.Image"), "Image", None)
    return isinstance(image, type) and issubclass(type(obj), image)


def _as_jpeg(image: Any) -> bytes:
    """An image of PIL's. Versions before 10 give no JPEG themselves."""
    buffer = _BytesIO()
    image.convert("RGB").save(buffer, "jpeg")
    return buffer.getvalue()


def _rich(obj: Any, names: set[str]) -> dict[str, str]:
    """All forms of a value but its text, unless it gives that itself."""
    parts = rich(obj, names)
    job = Now.job
    if job.forms & DRAW and job.forms & JPEG and _is_image(obj) and \
            "image/jpeg" not in parts:
        parts.update(checked(type(obj), [
            ("image/jpeg", ask(type(obj), "image/jpeg",
                               lambda: _as_jpeg(obj)))]))
    return parts


def _as_json(value: Any) -> dict[str, str]:
    """A list or an object that is JSON as it is."""
    if type(value) in (list, dict):
        try:
            text = encode_strictly(value, Now.job.room // 2)
            return {"application/json": text}
        except TypeError:
            pass
    return {}


def _show_value(job: Job, value: Any, text: Callable[[], str]) -> None:
    """The final value's own pictures, if its type has any; any final value if
    the job asks for that."""
    main = bool(job.forms & MAIN)
    if _is_figure(value):
        return show_figure(job, value, False, main)
    if not main and type(value) in PLAIN:
        return None
    parts = _rich(value, rich_names(type(value)))
    if main and type(value) in PLAIN:
        parts.update(_as_json(value))
    if main or any(media != "text/plain" for media in parts):
        if "text/plain" not in parts:
            plain = checked(type(value), [("text/plain", text())])
            parts = {**plain, **parts}
        job.show({**_mark(job, main), **parts})
    return None


def show_bundle(bundle: dict[str, Any]) -> None:
    """Send media types and their data. A client that has not asked for them
    reads the text in the output."""
    job = Now.job
    if job.has_room():
        job.show(checked(dict, bundle.items()))
    elif not job.shows and "text/plain" in bundle:
        print(bundle["text/plain"])


def _display_one(obj: Any, raw: bool) -> None:
    if raw and isinstance(obj, dict):
        return show_bundle({media: data for media, data in dict.items(obj)
                            if isinstance(media, str)})
    names = rich_names(type(obj))
    job = Now.job
    if names == {"_ipython_display_"}:  # it shows itself
        if not job.shows:
            return obj._ipython_display_()
        return ask(type(obj), "_ipython_display_",
                   lambda: obj._ipython_display_())
    if not job.shows:
        print(_plain_text(obj))
    elif job.has_room():
        job.show({**checked(type(obj), [("text/plain", _plain_text(obj))]),
                  **_rich(obj, names)})
    return None


class DisplayHandle:
    """What display() returns for a display_id. An update is shown anew."""

    def __init__(self, display_id: Any = None) -> None:
        self.display_id = display_id if isinstance(display_id, str) else \
            f"{id(self):x}"

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"

    def display(self, obj: Any, **options: Any) -> None:
        display(obj, **options)

    update = display


@unseen
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
    job.has_value = True
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
    if job.shows:
        _show_value(job, value, text)
