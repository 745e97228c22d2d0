"""newer_models - pydantic 2's names that pydantic 1 has under others.

Programs are written for pydantic 2, while Debian 12 has 1.10. A model's
model_config becomes its class Config, validators become those of pydantic 1.
What has no such name, RootModel among others, is a hint's (renamed.py).
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, replace
from .newer_refusals import change_refusals, parse

import functools
import inspect
import re
from typing import Any, Iterator, NamedTuple

_SINCE_2 = ("mode", "context", "warnings", "round_trip", "strict",
            "from_attributes", "serialize_as_any")
_CONFIG = {
    "from_attributes": "orm_mode",
    "populate_by_name": "allow_population_by_field_name",
    "validate_by_name": "allow_population_by_field_name",
    "str_strip_whitespace": "anystr_strip_whitespace",
    "str_to_lower": "anystr_lower", "str_to_upper": "anystr_upper",
    "str_min_length": "min_anystr_length",
    "str_max_length": "max_anystr_length",
    "validate_default": "validate_all",
    "json_schema_extra": "schema_extra", "ignored_types": "keep_untouched",
}


class Info(NamedTuple):
    """What a validator of three parameters gets."""
    data: Any
    field_name: Any
    mode: str = "python"
    context: Any = None


Info.__name__ = Info.__qualname__ = "ValidationInfo"
Info.__module__ = "pydantic"


class _Computed(property):
    """A property that stands among the fields of a model's contents."""


# -- the methods of a model

def _older(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items()
            if name not in _SINCE_2}


def _encoder(self: Any) -> Any:
    """pydantic 2's JSON of decimals and of UTC, where the model has none."""
    def encode(value: Any) -> Any:
        found = self.__json_encoder__(value)
        if isinstance(found, (int, float)) and \
                type(value).__name__ == "Decimal":
            return str(value)
        if isinstance(found, str) and hasattr(value, "tzinfo"):
            return found.removesuffix("+00:00") + \
                ("Z" if found.endswith("+00:00") else "")
        return found
    return encode


def _model_dump(self: Any, **options: Any) -> Any:
    if options.get("mode") == "json":
        import json
        return json.loads(self.model_dump_json(**options))
    return self.dict(**_older(options))


def _model_dump_json(self: Any, **options: Any) -> str:
    """As compact as pydantic 2 writes it, unless it is indented."""
    if options.get("indent") is None:
        options["separators"] = (",", ":")
    options.setdefault("ensure_ascii", False)
    return self.json(encoder=_encoder(self),
                     **_older(options))  # type: ignore[no-any-return]


def _model_copy(self: Any, *, update: Any = None, deep: bool = False) -> Any:
    return self.copy(update=update, deep=deep)


@classmethod  # type: ignore[misc]
def _model_validate(cls: Any, obj: Any, **_options: Any) -> Any:
    if cls.__config__.orm_mode and not isinstance(obj, (dict, cls)):
        return cls.from_orm(obj)
    return cls.parse_obj(obj)


@classmethod  # type: ignore[misc]
def _model_validate_json(cls: Any, json_data: Any, **_options: Any) -> Any:
    return cls.parse_raw(json_data)


@classmethod  # type: ignore[misc]
def _model_json_schema(cls: Any, **_options: Any) -> Any:
    return cls.schema()


def _computed_names(kind: type) -> list[str]:
    return list(dict.fromkeys(
        name for one in reversed(kind.__mro__) for name, value in
        vars(one).items() if isinstance(value, _Computed)))


def _change_contents(model: Any) -> None:
    """Let a model's contents have its computed fields, too."""
    plain, shown = model._iter, model.__repr_args__

    def _iter(self: Any, to_dict: bool = False, by_alias: bool = False,
              include: Any = None, exclude: Any = None,
              *args: Any, **options: Any) -> Iterator[Any]:
        yield from plain(self, to_dict, by_alias, include, exclude, *args,
                         **options)
        if to_dict:
            for name in _computed_names(type(self)):
                if (include is None or name in include) and \
                        name not in (exclude or ()):
                    yield name, getattr(self, name)

    def __repr_args__(self: Any) -> Any:
        return [*shown(self), *((name, getattr(self, name)) for name in
                                _computed_names(type(self)))]

    replace(model, "_iter", _iter)
    replace(model, "__repr_args__", __repr_args__)


# -- what makes a model

def _computed_field(function: Any = None, /, **_options: Any) -> Any:
    def make(found: Any) -> Any:
        return _Computed(found.fget if isinstance(found, property) else found)
    return make if function is None else make(function)


def _renamed_config(config: Any) -> dict[str, Any]:
    return {_CONFIG.get(name, name): value for name, value in config.items()}


_SEQUENCES = re.compile(r"(?:typing\.|t\.)?(?:Annotated\[|Optional\[)*"
                        r"(list|set|frozenset|sequence)\b", re.I)


def _count_items(namespace: Any, info: Any) -> None:
    """min_length= and max_length= of a list count its items, where pydantic 1
    counted the letters of each."""
    for name, kind in namespace.get("__annotations__", {}).items():
        text = kind if isinstance(kind, str) else str(kind)
        found = [one for one in (namespace.get(name),
                                 *getattr(kind, "__metadata__", ()))
                 if isinstance(one, info)]
        if not _SEQUENCES.match(text.strip("'\"")):
            continue
        for one in found:
            for older, newer in (("min_length", "min_items"),
                                 ("max_length", "max_items")):
                if getattr(one, older) is not None:
                    setattr(one, newer, getattr(one, older))
                    setattr(one, older, None)


def _call_afterwards(model: Any) -> None:
    """Let a model call its model_post_init() when it is made."""
    plain = model.__init__
    if hasattr(plain, "calls_post_init"):
        return

    def __init__(__pydantic_self__: Any, **data: Any) -> None:
        plain(__pydantic_self__, **data)
        __pydantic_self__.model_post_init(None)

    replace(model, "__init__", __init__)
    model.__init__.calls_post_init = True


def _model_construct(cls: Any, _fields_set: Any = None, **values: Any) -> Any:
    found = cls.construct(_fields_set, **values)
    if hasattr(cls, "model_post_init"):
        found.model_post_init(None)
    return found


def _change_models(metaclass: Any, info: Any) -> None:
    """model_config, lengths of lists, model_post_init()."""
    plain = metaclass.__new__

    def __new__(mcs: Any, name: str, bases: Any, namespace: Any,
                **options: Any) -> Any:
        config = namespace.get("model_config")
        if isinstance(config, dict):
            namespace = {key: value for key, value in namespace.items()
                         if key != "model_config"}
            older = namespace.get("Config", object)
            namespace["Config"] = type("Config", (older,),
                                       _renamed_config(config))
        _count_items(namespace, info)
        found = plain(mcs, name, bases, namespace, **options)
        if "model_post_init" in namespace:
            _call_afterwards(found)
        return found

    replace(metaclass, "__new__", __new__)
    metaclass.__new__ = staticmethod(metaclass.__new__)
    add(metaclass, model_fields=property(lambda cls: cls.__fields__))


def _with_info(function: Any) -> Any:
    """A validator (cls, value, info) as one that pydantic 1 knows."""
    inner = getattr(function, "__func__", function)
    names = list(inspect.signature(inner).parameters)
    if len(names) != 3 or names[2] in ("values", "config", "field"):
        return function

    @functools.wraps(inner)
    def validate(cls: Any, value: Any, values: Any, field: Any) -> Any:
        return inner(cls, value, Info(values, field.name))

    del validate.__wrapped__
    return classmethod(validate)


def _of_all(pydantic: Any, mode: str) -> Any:
    """model_validator(): a function of all values before, or of the model
    after the fields' own validators."""
    def decorate(function: Any) -> Any:
        if mode == "before":
            return pydantic.root_validator(pre=True, allow_reuse=True)(
                function)
        inner = getattr(function, "__func__", function)

        def validate(cls: Any, values: Any) -> Any:
            found = cls.construct(**values)
            if isinstance(function, classmethod):
                return vars(inner(cls, found))
            return vars(inner(found))

        validate.__name__ = inner.__name__
        validate.__qualname__ = inner.__qualname__
        validate.__module__ = inner.__module__
        return pydantic.root_validator(skip_on_failure=True, allow_reuse=True)(
            validate)
    return decorate


def _change_fields(pydantic: Any) -> None:
    """Field(pattern=...) and others: pydantic 1 takes a word that it does not
    know for one of the schema, and checks nothing."""
    plain = pydantic.Field

    def Field(*args: Any, **options: Any) -> Any:
        for new, old in (("pattern", "regex"),
                         ("validation_alias", "alias"),
                         ("serialization_alias", "alias")):
            if new in options:
                options.setdefault(old, options.pop(new))
        if options.pop("frozen", False):
            options["allow_mutation"] = False
        extra = options.pop("json_schema_extra", None)
        return plain(*args, **options,
                     **(extra if isinstance(extra, dict) else {}))

    replace(pydantic, "Field", Field)


def _change_others(pydantic: Any) -> None:
    """A field of model_fields, and a model's other names."""
    add(pydantic.fields.ModelField,
        is_required=lambda self: bool(self.required),
        description=property(lambda self: self.field_info.description),
        title=property(lambda self: self.field_info.title))
    add(pydantic.BaseModel,
        model_construct=classmethod(_model_construct),
        model_rebuild=classmethod(
            lambda cls, **_options: cls.update_forward_refs()),
        model_fields_set=property(lambda self: self.__fields_set__))


class _Adapter:
    """TypeAdapter: a type's values without a model."""

    def __init__(self, type: Any, **_options: Any) -> None:
        self._type = type

    def validate_python(self, object: Any, /, **_options: Any) -> Any:
        import pydantic
        return parse(pydantic.parse_obj_as, self._type, object)

    def validate_json(self, data: Any, /, **_options: Any) -> Any:
        import pydantic
        return pydantic.parse_raw_as(self._type, data)

    def dump_json(self, instance: Any, /, *, indent: Any = None,
                  **_options: Any) -> bytes:
        import json
        from pydantic.json import pydantic_encoder
        return json.dumps(
            instance, indent=indent, default=pydantic_encoder,
            ensure_ascii=False,
            separators=None if indent else (",", ":")).encode()

    def dump_python(self, instance: Any, /, **_options: Any) -> Any:
        import json
        return json.loads(self.dump_json(instance))

    def json_schema(self, **_options: Any) -> Any:
        import pydantic
        return pydantic.schema_of(self._type)


_Adapter.__name__ = _Adapter.__qualname__ = "TypeAdapter"
_Adapter.__module__ = "pydantic"


def _change_pydantic(pydantic: Any) -> None:
    if not pydantic.VERSION.startswith("1."):
        return

    def refuse(mode: str) -> None:
        if mode not in ("before", "after"):
            raise TypeError(f"mode={mode!r} needs pydantic 2; here it is "
                            f"{pydantic.VERSION}")

    def field_validator(*fields: str, mode: str = "after",
                        check_fields: Any = None) -> Any:
        refuse(mode)
        validator = pydantic.validator(
            *fields, pre=mode == "before",
            check_fields=check_fields is not False, allow_reuse=True)
        return lambda function: validator(_with_info(function))

    def model_validator(*, mode: str) -> Any:
        refuse(mode)
        return _of_all(pydantic, mode)

    add(pydantic, field_validator=field_validator,
        model_validator=model_validator, computed_field=_computed_field,
        ValidationInfo=Info, TypeAdapter=_Adapter)
    add(pydantic.BaseModel, model_dump=_model_dump,
        model_dump_json=_model_dump_json, model_copy=_model_copy,
        model_validate=_model_validate,
        model_validate_json=_model_validate_json,
        model_json_schema=_model_json_schema)
    _change_models(type(pydantic.BaseModel), pydantic.fields.FieldInfo)
    _change_others(pydantic)
    _change_contents(pydantic.BaseModel)
    _change_fields(pydantic)
    change_refusals(pydantic)


when_imported({"pydantic": _change_pydantic})
