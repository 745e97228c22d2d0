"""newer_models - pydantic 2's names that pydantic 1 has under others.

Programs are written for pydantic 2, while Debian 12 has 1.10. What has no such
name, model_validator and ConfigDict among others, is a hint's (renamed.py).
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

from typing import Any

_SINCE_2 = ("mode", "context", "warnings", "round_trip", "strict",
            "from_attributes", "serialize_as_any")


def _older(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items()
            if name not in _SINCE_2}


def _model_dump(self: Any, **options: Any) -> Any:
    if options.get("mode") == "json":
        import json
        return json.loads(self.json(**_older(options)))
    return self.dict(**_older(options))


def _model_dump_json(self: Any, **options: Any) -> str:
    """As compact as pydantic 2 writes it, unless it is indented."""
    if options.get("indent") is None:
        options["separators"] = (",", ":")
    options.setdefault("ensure_ascii", False)
    return self.json(**_older(options))  # type: ignore[no-any-return]


def _model_copy(self: Any, *, update: Any = None, deep: bool = False) -> Any:
    return self.copy(update=update, deep=deep)


@classmethod  # type: ignore[misc]
def _model_validate(cls: Any, obj: Any, **_options: Any) -> Any:
    return cls.parse_obj(obj)


@classmethod  # type: ignore[misc]
def _model_validate_json(cls: Any, json_data: Any, **_options: Any) -> Any:
    return cls.parse_raw(json_data)


@classmethod  # type: ignore[misc]
def _model_json_schema(cls: Any, **_options: Any) -> Any:
    return cls.schema()


def _change_pydantic(pydantic: Any) -> None:
    if not pydantic.VERSION.startswith("1."):
        return

    def field_validator(*fields: str, mode: str = "after",
                        check_fields: Any = None) -> Any:
        if mode not in ("before", "after"):
            raise TypeError(f"mode={mode!r} needs pydantic 2; here it is "
                            f"{pydantic.VERSION}")
        return pydantic.validator(*fields, pre=mode == "before",
                                  check_fields=check_fields is not False,
                                  allow_reuse=True)

    add(pydantic, field_validator=field_validator)
    add(pydantic.BaseModel, model_dump=_model_dump,
        model_dump_json=_model_dump_json, model_copy=_model_copy,
        model_validate=_model_validate,
        model_validate_json=_model_validate_json,
        model_json_schema=_model_json_schema)


when_imported({"pydantic": _change_pydantic})
