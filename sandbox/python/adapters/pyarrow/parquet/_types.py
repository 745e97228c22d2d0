"""Types that Parquet does not have, told by the file's metadata.

Dictionaries, durations, time zones and the like come back by a key of ours, or
by what pandas' key tells of its columns.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .. import _types as t
from .._schema import Schema
from . import _arrow

_ARROW = b"ARROW:schema"


def _native(kind: Any) -> bool:
    """Whether a file tells the type KIND by itself."""
    name = kind._kind
    if name in ("list", "struct", "map"):
        return True
    if name == "timestamp":
        return kind.unit != "s" and kind.tz in (None, "UTC")
    return name not in ("dictionary", "duration", "large_string", "date64",
                        "large_binary") and str(kind) != "time32[s]"


def told(schema: Schema) -> Any:
    """The words for the metadata, or None."""
    found = {one.name: str(one.type) for one in schema
             if not _native(one.type)}
    return json.dumps(found).encode() if found else None


def _parsed(text: str) -> Any:
    found = re.fullmatch(r"dictionary<values=(.+), indices=(\w+), "
                         r"ordered=([01])>", text)
    if found:
        return t.dictionary(t.int32(), _parsed(found[1]), found[3] == "1")
    return t.type_for_alias(text)


def restored(schema: Schema) -> Schema:
    """SCHEMA of a file with the types that its metadata tells."""
    from ._facts import OWN
    metadata = dict(schema.metadata or {})
    types = _arrow.types(metadata.pop(_ARROW, b""))
    facts = _json(metadata.get(b"pandas"))
    for one in facts.get("columns", []) if isinstance(facts, dict) else []:
        _of_pandas(one, types)
    own = _json(metadata.pop(OWN, None))
    for name, text in own.items() if isinstance(own, dict) else ():
        try:
            types[name] = _parsed(str(text))
        except (ValueError, TypeError):
            continue
    return Schema([_fitted(one, types.get(one.name)) for one in schema],
                  metadata)


def _json(text: Any) -> Any:
    try:
        return json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}


def _of_pandas(one: Any, types: dict[str, Any]) -> None:
    if not isinstance(one, dict) or not one.get("field_name"):
        return
    facts = one.get("metadata") or {}
    kind = one.get("pandas_type")
    if kind == "categorical":
        types[one["field_name"]] = bool(facts.get("ordered"))
    elif kind == "datetimetz" and facts.get("timezone"):
        types[one["field_name"]] = str(facts["timezone"])
    elif kind == "timedelta":
        types[one["field_name"]] = t.duration("ns")


def _fitted(field: t.Field, wish: Any) -> t.Field:
    kind = field.type
    if isinstance(wish, bool):
        if kind._kind in ("list", "struct", "map", "null"):
            return field
        return field.with_type(t.dictionary(t.int32(), kind, wish))
    if isinstance(wish, str):
        return field.with_type(t.timestamp(kind.unit, wish)) if \
            kind._kind == "timestamp" else field
    if wish is None:
        return field
    plain = wish.value_type if wish._kind == "dictionary" else wish
    return field.with_type(wish) if _stored_alike(plain, kind) else field


_ALIKE = {"large_string": "string", "large_binary": "binary",
          "duration": "int64", "date64": "date32"}


def _stored_alike(wish: Any, kind: Any) -> bool:
    """Whether values of type WISH were written as KIND."""
    if wish._kind == "timestamp" and kind._kind == "timestamp":
        return bool(wish.tz) == bool(kind.tz)
    return wish == kind or _ALIKE.get(wish._kind) == kind._kind or \
        str(wish) == "time32[s]" and str(kind) == "time32[ms]"
