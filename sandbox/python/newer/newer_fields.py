"""newer_fields - pydantic 2's serializers, and validators in Annotated.

As newer_models.py for pydantic 1, which knows neither: field_serializer() and
PlainSerializer change what model_dump() gives, BeforeValidator and
AfterValidator become pydantic 1's validators. Modes that have no such likeness
are refused with a sentence, as nothing may be left out in silence.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_models import Info
from .newer_python import add, replace

import inspect
import sys
import types
from typing import Annotated, Any, Iterator, NamedTuple, Union
from typing import get_args, get_origin

_arguments, _origin, _Union = get_args, get_origin, Union
_modules, _union_type = sys.modules, types.UnionType
_Annotated: Any = Annotated
_MANY = (list, set, frozenset, tuple, dict)
_MARK = "__pydantic_serializer__"
_used = {"json": False}     # whether JSON is being made


class _Marker:
    """What stands in Annotated beside a type."""
    pre = False

    def __init__(self, func: Any) -> None:
        self.func = func


class _Before(_Marker):
    pre = True


class _Plain:
    def __init__(self, func: Any, return_type: Any = None,
                 when_used: str = "always") -> None:
        self.func, self.when_used = func, when_used


class _Serializer(NamedTuple):
    function: Any
    when_used: str
    bound: bool             # whether it takes the model


class _SerializerInfo(NamedTuple):
    mode: str
    field_name: str
    context: Any = None


for _kind, _name in ((_Marker, "AfterValidator"), (_Before, "BeforeValidator"),
                     (_Plain, "PlainSerializer"),
                     (_SerializerInfo, "FieldSerializationInfo")):
    _kind.__name__ = _kind.__qualname__ = _name
    _kind.__module__ = "pydantic"


def _count(function: Any) -> int:
    """The parameters without a default value; 1 of a built-in function."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(one.default is one.empty and one.kind in (
        one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in found)


# -- validators in Annotated

def _evaluated(annotation: Any, module: str) -> Any:
    """An annotation that may be a text; None if it cannot be evaluated yet."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(vars(_modules[module])))
    except Exception:
        return None


def _markers(kind: Any, inside: bool = False) -> Iterator[tuple[Any, bool]]:
    """The markers of a type, and whether they are of its items."""
    if _origin(kind) is _Annotated:
        for one in kind.__metadata__:
            if isinstance(one, (_Marker, _Plain)):
                yield one, inside
        kind = _arguments(kind)[0]
    origin = _origin(kind)
    if origin in (_Union, _union_type):
        for one in _arguments(kind):
            yield from _markers(one, inside)
    elif origin in _MANY:
        for one in _arguments(kind):
            for found, deeper in _markers(one, True):
                if inside or isinstance(found, _Plain):
                    raise TypeError(f"{type(found).__name__} within {kind} "
                                    "needs pydantic 2")
                yield found, True


def _validator(pydantic: Any, name: str, marker: Any, each: bool) -> Any:
    function = marker.func
    informed = _count(function) == 2

    def check(cls: Any, value: Any, values: Any, field: Any) -> Any:
        return function(value, Info(values, field.name)) if informed else \
            function(value)

    return pydantic.validator(name, pre=marker.pre, each_item=each,
                              allow_reuse=True)(check)


def _read_annotations(pydantic: Any, namespace: dict[str, Any]) -> \
        tuple[dict[str, Any], dict[str, _Serializer]]:
    """The validators and serializers of a class's annotations."""
    validators: dict[str, Any] = {}
    serializers: dict[str, _Serializer] = {}
    for name, text in namespace.get("__annotations__", {}).items():
        kind = _evaluated(text, namespace.get("__module__", ""))
        for marker, each in _markers(kind):
            if isinstance(marker, _Plain):
                serializers[name] = _Serializer(marker.func, marker.when_used,
                                                False)
            else:
                place = f"__annotated_{name}_{len(validators)}"
                validators[place] = _validator(pydantic, name, marker, each)
    return validators, serializers


# -- serializers

def _field_serializer(*fields: str, mode: str = "plain",
                      return_type: Any = None, when_used: str = "always",
                      check_fields: Any = None) -> Any:
    if mode != "plain":
        raise TypeError(f"mode={mode!r} needs pydantic 2")

    def mark(function: Any) -> Any:
        inner = getattr(function, "__func__", function)
        setattr(inner, _MARK, (fields, when_used,
                               not isinstance(function, staticmethod)))
        return function
    return mark


def _marked(namespace: dict[str, Any]) -> dict[str, _Serializer]:
    found = {}
    for value in namespace.values():
        inner = getattr(value, "__func__", value)
        if isinstance(inner, types.FunctionType) and hasattr(inner, _MARK):
            fields, when_used, bound = getattr(inner, _MARK)
            for name in fields:
                found[name] = _Serializer(inner, when_used, bound)
    return found


def _serialized(model: Any, name: str, one: _Serializer) -> Any:
    value = getattr(model, name)
    words = (model, value) if one.bound else (value,)
    if _count(one.function) > len(words):
        words += (_SerializerInfo("json" if _used["json"] else "python",
                                  name),)
    return one.function(*words)


def _applies(one: _Serializer, value: Any) -> bool:
    return (_used["json"] or not one.when_used.startswith("json")) and not (
        value is None and one.when_used.endswith("unless-none"))


def _change_contents(model: Any) -> None:
    plain, plain_json = model._iter, model.model_dump_json

    def _iter(self: Any, to_dict: bool = False, by_alias: bool = False,
              *args: Any, **options: Any) -> Iterator[Any]:
        known = getattr(type(self), "__serializers__", {}) if to_dict else {}
        keys = {self.__fields__[name].alias if by_alias else name: name
                for name in known if name in self.__fields__}
        for key, value in plain(self, to_dict, by_alias, *args, **options):
            name = keys.get(key)
            if name and _applies(known[name], getattr(self, name)):
                value = _serialized(self, name, known[name])
            yield key, value

    def model_dump_json(self: Any, **options: Any) -> Any:
        before, _used["json"] = _used["json"], True
        try:
            return plain_json(self, **options)
        finally:
            _used["json"] = before

    replace(model, "_iter", _iter)
    replace(model, "model_dump_json", model_dump_json)


def _change_metaclass(pydantic: Any, metaclass: Any) -> None:
    plain = metaclass.__new__

    def __new__(mcs: Any, name: str, bases: Any, namespace: Any,
                **options: Any) -> Any:
        validators, serializers = _read_annotations(pydantic, namespace)
        found = plain(mcs, name, bases, {**namespace, **validators}, **options)
        serializers.update(_marked(namespace))
        older = getattr(found, "__serializers__", {})
        if serializers:
            type.__setattr__(found, "__serializers__",
                             {**older, **serializers})
        return found

    replace(metaclass, "__new__", __new__)
    metaclass.__new__ = staticmethod(metaclass.__new__)


def _change_pydantic(pydantic: Any) -> None:
    if not pydantic.VERSION.startswith("1."):
        return
    add(pydantic, field_serializer=_field_serializer, AfterValidator=_Marker,
        BeforeValidator=_Before, PlainSerializer=_Plain,
        FieldSerializationInfo=_SerializerInfo,
        SerializationInfo=_SerializerInfo)
    _change_contents(pydantic.BaseModel)
    _change_metaclass(pydantic, type(pydantic.BaseModel))


when_imported({"pydantic": _change_pydantic})
