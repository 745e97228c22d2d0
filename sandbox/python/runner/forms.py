"""forms - the forms of a value: what its _repr_*_ methods say, checked.

A form is a media type and data. Methods belong to the program and to its
libraries: one that raises, takes too long or gives the wrong type costs its own
form and a warning, never the run.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import json_string, warn
from .deadline import Overdue, Timeout, limited
from .job import (DATA, HTML, JAVASCRIPT, JPEG, JSON_FORM, LATEX, MARKDOWN,
                  OTHER, PDF, PNG, SVG, TEXT, Now)
from .own import dict_of, mro_of, type_name
from .tables import COLUMNS_MEDIA, columns_of, table_of
from .values import PLAIN, encode_or_none

import base64
import re
from typing import Any, Callable, Iterable, Optional

_b64encode, _b64decode = base64.b64encode, base64.b64decode
_is_media = re.compile(r"[A-Za-z0-9][\w!#$&^.+-]*/[A-Za-z0-9][\w!#$&^.+-]*"
                       r"(; ?[\w.+-]+=[\w.+-]+)*", re.ASCII).fullmatch
_MEDIA_CHARS = 200          # of a media type
_MEDIA = 32                 # of one value
_OURS = "application/vnd.terrarium."  # no program's value has these

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
_FORM_OF = {
    "text/plain": TEXT, "text/html": HTML, "text/markdown": MARKDOWN,
    "text/latex": LATEX, "image/svg+xml": SVG, "image/png": PNG,
    "image/jpeg": JPEG, "application/pdf": PDF,
    "application/json": JSON_FORM, "application/javascript": JAVASCRIPT}

# The first bytes of binary types. The data is bytes, or their base64.
_HEADS = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff",
          "application/pdf": b"%PDF-"}


class _Wrong(Exception):
    """Data that its media type does not allow: the reason."""


def rich_names(cls: type) -> set[str]:
    """The _repr_*_ methods that CLS or a base of it defines."""
    found: set[str] = set()
    if cls not in PLAIN:
        for base in mro_of(cls):
            found |= _REPR_NAMES & dict_of(base).keys()
    return found


def _is_slow(cls: type) -> bool:
    return any(each is cls for each in Now.job.slow)


def ask(cls: type, name: str, call: Callable[[], Any],
        always: bool = False) -> Any:
    """CALL(), which gives a form of a value of CLS; None if it fails. NAME is
    for the warning. ALWAYS: also if another form took too long."""
    if not always and _is_slow(cls):
        return None
    try:
        return limited(Now.job.time_for_forms(), call)
    except Timeout:
        raise
    except Overdue:
        if not _is_slow(cls):
            Now.job.slow.append(cls)
        warn(f"{name} of {type_name(cls)} took too long: it was ended, and "
             f"values of {type_name(cls)} have no more forms in this answer")
    except NotImplementedError:
        pass  # it says that it has none
    except BaseException as exc:
        warn(f"{name} of {type_name(cls)} raised {type_name(type(exc))}: its "
             "form was left out")
    return None


def _method(obj: Any, name: str, **options: Any) -> Any:
    """The result of a _repr_*_ method; None if there is none or it fails."""
    def call() -> Any:
        try:
            method = getattr(obj, name)
        except AttributeError:
            return None  # it is hidden
        return None if method is None else method(**options)

    data = ask(type(obj), name, call)
    return data[0] if type(data) is tuple and data else data


def _binary(data: Any, head: bytes) -> str:
    if isinstance(data, str):
        try:
            data = _b64decode("".join(str.__str__(data).split()),
                              validate=True)
        except ValueError:
            raise _Wrong("it is neither bytes nor base64") from None
    elif not isinstance(data, (bytes, bytearray, memoryview)):
        raise _Wrong(f"it is {type_name(type(data))}, not bytes")
    data = bytes(data)
    if not data.startswith(head):
        raise _Wrong("it has another format")
    return json_string(_b64encode(data).decode("ascii"))


def _textual(data: Any) -> str:
    if isinstance(data, (bytes, bytearray, memoryview)):
        try:
            return json_string(bytes(data).decode("utf-8"))
        except UnicodeDecodeError:
            raise _Wrong("it is not UTF-8") from None
    if not isinstance(data, str):
        raise _Wrong(f"it is {type_name(type(data))}, not str")
    return json_string(str.__str__(data))


def _any(media: str, data: Any, room: int) -> Optional[str]:
    """Data of JSON, or of a type that is not known here."""
    if isinstance(data, str):
        return json_string(str.__str__(data))
    if isinstance(data, (bytes, bytearray, memoryview)):
        if media.endswith("json"):
            raise _Wrong("it is bytes, not JSON")
        return json_string(_b64encode(data).decode("ascii"))
    return encode_or_none(data, room)


def _encoded(media: str, data: Any) -> Optional[str]:
    """Data as JSON text. None: there is no room, and that was told."""
    room = Now.job.room
    size = len(data) if isinstance(data, (str, bytes, bytearray)) else 0
    text = None
    if size <= room:
        if media in _HEADS:
            text = _binary(data, _HEADS[media])
        elif media.startswith("text/") or media in (
                "image/svg+xml", "application/javascript"):
            text = _textual(data)
        else:
            text = _any(media, data, room)
    if text is None:
        Now.job.tell_cut(media)
    return text


def checked(cls: type, found: Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """The forms FOUND, as JSON text; without those that are not asked for, and
    those that are not as their media type demands."""
    parts: dict[str, str] = {}
    job, name = Now.job, type_name(cls)
    for media, data in found:
        if data is None or not isinstance(media, str):
            continue
        media = str.__str__(media)
        if len(media) > _MEDIA_CHARS or not _is_media(media) or \
                media.startswith(_OURS):
            warn(f"a form of {name} was left out: its media type is not one")
        elif len(parts) >= _MEDIA:
            warn(f"forms of {name} were left out: a value has at most "
                 f"{_MEDIA}")
            break
        elif job.wants(_FORM_OF.get(media, OTHER)) or media == "text/plain":
            def call(media: str = media, data: Any = data) -> Any:
                try:
                    return _encoded(media, data)
                except _Wrong as exc:
                    warn(f"{media} of {name} was left out: {exc}")
                    return None

            text = ask(cls, media, call, True)
            if text is not None:
                parts[media] = text
    return parts


def _tables(obj: Any) -> dict[str, str]:
    """The data of a table of pandas, as JSON text."""
    parts: dict[str, str] = {}
    job, cls = Now.job, type(obj)
    if job.wants(OTHER):
        for media, data in (ask(cls, "the data", lambda: table_of(obj)) or
                            {}).items():
            text = encode_or_none(data, job.room)
            if text is not None:
                parts[media] = text
    if job.wants(DATA):
        text = ask(cls, "the data", lambda: columns_of(obj))
        if text is not None:
            parts[COLUMNS_MEDIA] = text
    return parts


def rich(obj: Any, names: Iterable[str]) -> dict[str, str]:
    """Media types and their data, from the _repr_*_ methods NAMES that OBJ
    has."""
    job, found = Now.job, {}
    if "_repr_mimebundle_" in names:
        bundle = _method(obj, "_repr_mimebundle_", include=None, exclude=None)
        if isinstance(bundle, dict):
            found.update(dict.items(bundle))
        elif bundle is not None:
            warn(f"_repr_mimebundle_ of {type_name(type(obj))} was left out: "
                 f"it is {type_name(type(bundle))}, not dict")
    for name, media in _REPRS:
        if name in names and media not in found and \
                job.wants(_FORM_OF[media]):
            found[media] = _method(obj, name)
    parts = checked(type(obj), found.items())
    parts.update(_tables(obj))
    return parts
