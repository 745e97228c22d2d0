"""newer_refusals - why pydantic refuses values, in pydantic 2's words.

Programs print the type, place and message of each error, and count on it that
a number is no text and 1.5 no whole number. pydantic 1 has other words, names
the model itself "__root__" and takes such values.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .newer_python import replace

import re
from typing import Any, Callable

_URL = "https://errors.pydantic.dev/2.10/v/"
_KINDS = {
    int: ("int_type", "integer"), float: ("float_type", "number"),
    str: ("string_type", "string"), bool: ("bool_type", "boolean"),
}
_TYPES = {
    "list": ("list_type", "list"), "set": ("set_type", "set"),
    "tuple": ("tuple_type", "tuple"), "dict": ("dict_type", "dictionary"),
    "str": ("string_type", "string"),
    "frozenset": ("frozen_set_type", "frozenset"),
}
_BOUNDS = {
    "gt": ("greater_than", "greater than"),
    "ge": ("greater_than_equal", "greater than or equal to"),
    "lt": ("less_than", "less than"),
    "le": ("less_than_equal", "less than or equal to"),
}
_Words = tuple[str, str, dict[str, Any]]


def _many(count: Any, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _any_of(values: Any) -> str:
    words = [repr(getattr(one, "value", one)) for one in values]
    return " or ".join([", ".join(words[:-1]), words[-1]][len(words) == 1:])


def _date_fault(value: Any) -> str:
    """Why a text is no date, as the parser of pydantic 2 says it."""
    if len(value) < 10:
        return "input is too short"
    for place, part in ((slice(0, 4), "year"), (slice(5, 7), "month"),
                        (slice(8, 10), "day")):
        if not value[place].isdecimal():
            return f"invalid character in {part}"
        separator = value[place.stop:place.stop + 1]
        if part != "day" and separator != "-":
            return "invalid date separator, expected `-`"
    if not 1 <= int(value[5:7]) <= 12:
        return "month value is outside expected range of 1-12"
    return "day value is outside expected range"


# -- one error each: of its context and the value that was given

def _of_choice(context: Any, value: Any) -> _Words:
    words = _any_of(context.get("permitted") or context["enum_values"])
    kind = "literal_error" if "permitted" in context else "enum"
    return kind, f"Input should be {words}", {"expected": words}


def _of_tag(context: Any, value: Any) -> _Words:
    key = context["discriminator_key"]
    return ("union_tag_invalid",
            f"Input tag '{context['discriminator_value']}' found using "
            f"'{key}' does not match any of the expected tags: "
            f"{context['allowed_values']}",
            {"discriminator": f"'{key}'",
             "tag": str(context["discriminator_value"]),
             "expected_tags": context["allowed_values"]})


def _of_no_tag(context: Any, value: Any) -> _Words:
    key = context["discriminator_key"]
    return ("union_tag_not_found", "Unable to extract tag using discriminator "
            f"'{key}'", {"discriminator": f"'{key}'"})


def _of_parsing(kind: str, noun: str, end: str) -> Callable[..., _Words]:
    def words(context: Any, value: Any) -> _Words:
        plain = f"Input should be a valid {noun}"
        if isinstance(value, (str, bytes)):
            return f"{kind}_parsing", f"{plain}, unable to {end}", {}
        if kind == "int" and isinstance(value, float):
            return ("int_from_float",
                    f"{plain}, got a number with a fractional part", {})
        return f"{kind}_type", plain, {}
    return words


def _of_date(kind: str, nouns: str) -> Callable[..., _Words]:
    def words(context: Any, value: Any) -> _Words:
        if not isinstance(value, str):
            return (f"{kind}_type",
                    f"Input should be a valid {nouns.split()[0]}", {})
        fault = _date_fault(value)
        other = "datetime" if kind == "date" else "date"
        return (f"{kind}_from_{other}_parsing",
                f"Input should be a valid {nouns}, {fault}",
                {"error": fault})
    return words


def _of_length(kind: str, bound: str) -> Callable[..., _Words]:
    least = "least" if bound == "min_length" else "most"

    def words(context: Any, value: Any) -> _Words:
        limit = context["limit_value"]
        if kind == "String":
            return (f"string_too_{'short' if least == 'least' else 'long'}",
                    f"String should have at {least} "
                    f"{_many(limit, 'character')}", {bound: limit})
        size = len(value) if hasattr(value, "__len__") else limit
        return (f"too_{'short' if least == 'least' else 'long'}",
                f"{kind} should have at {least} {_many(limit, 'item')} after "
                f"validation, not {size}",
                {"field_type": kind, bound: limit, "actual_length": size})
    return words


def _of_bound(name: str) -> Callable[..., _Words]:
    kind, text = _BOUNDS[name]

    def words(context: Any, value: Any) -> _Words:
        limit = context["limit_value"]
        shown = int(limit) if isinstance(limit, float) and \
            limit.is_integer() else limit
        return kind, f"Input should be {text} {shown}", {name: limit}
    return words


def _plain(kind: str, text: str, *names: str) -> Callable[..., _Words]:
    def words(context: Any, value: Any) -> _Words:
        return (kind, text.format(**context),
                {name: context[name] for name in names})
    return words


_WORDS: dict[str, Callable[..., _Words]] = {
    "value_error.missing": _plain("missing", "Field required"),
    "value_error.extra": _plain("extra_forbidden",
                                "Extra inputs are not permitted"),
    "value_error.const": _of_choice, "type_error.enum": _of_choice,
    "value_error.str.regex": _plain(
        "string_pattern_mismatch", "String should match pattern '{pattern}'",
        "pattern"),
    "type_error.integer": _of_parsing(
        "int", "integer", "parse string as an integer"),
    "type_error.float": _of_parsing(
        "float", "number", "parse string as a number"),
    "value_error.strictbool": _of_parsing(
        "bool", "boolean", "interpret input"),
    "type_error.bool": _of_parsing("bool", "boolean", "interpret input"),
    "type_error.decimal": _plain("decimal_parsing",
                                 "Input should be a valid decimal"),
    "value_error.number.not_multiple": _plain(
        "multiple_of", "Input should be a multiple of {multiple_of}",
        "multiple_of"),
    "value_error.decimal.max_digits": _plain(
        "decimal_max_digits", "Decimal input should have no more than "
        "{max_digits} digits in total", "max_digits"),
    "value_error.decimal.max_places": _plain(
        "decimal_max_places", "Decimal input should have no more than "
        "{decimal_places} decimal places", "decimal_places"),
    "value_error.discriminated_union.invalid_discriminator": _of_tag,
    "value_error.discriminated_union.missing_discriminator": _of_no_tag,
    "value_error.date": _of_date("date", "date or datetime"),
    "value_error.datetime": _of_date("datetime", "datetime or date"),
    "value_error.any_str.min_length": _of_length("String", "min_length"),
    "value_error.any_str.max_length": _of_length("String", "max_length"),
    "value_error.url.scheme": _plain(
        "url_parsing", "Input should be a valid URL, relative URL without a "
        "base"),
    **{f"value_error.{kind}.{old}_items": _of_length(
        kind.capitalize(), f"{old}_length")
       for kind in ("list", "set") for old in ("min", "max")},
    **{f"value_error.number.not_{name}": _of_bound(name) for name in _BOUNDS},
    **{f"type_error.{old}": _plain(new, f"Input should be a valid {noun}")
       for old, (new, noun) in _TYPES.items()},
}


# -- a whole error

class _Frozen(TypeError):
    code = ""



def _given(data: Any, place: Any, is_missing: bool) -> Any:
    """What stood at PLACE of DATA; around it, if it is missing."""
    for name in place[:-1] if is_missing else place:
        try:
            data = data[name]
        except (KeyError, IndexError, TypeError):
            return data
    return data


def _of_field(model: Any, place: Any, old: Any) -> _Words | None:
    """What None and a thing that is no model are told, by the field."""
    for name in place:
        field = getattr(model, "__fields__", {}).get(name)
        model = model if field is None else field.type_
    if old["type"] == "type_error.dict" and hasattr(model, "__fields__"):
        return ("model_type", "Input should be a valid dictionary or "
                f"instance of {model.__name__}",
                {"class_name": model.__name__})
    for kind, (name, noun) in _KINDS.items():
        if old["type"] == "type_error.none.not_allowed" and \
                isinstance(model, type) and issubclass(model, kind):
            return name, f"Input should be a valid {noun}", {}
    return None


def _of_program(old: Any, error: Any) -> _Words | None:
    """A ValueError or an assertion of the program's own; what is frozen."""
    if isinstance(error, _Frozen):
        return error.code, str(error), {}
    if old["type"] == "value_error.jsondecode":
        return "json_invalid", f"Invalid JSON: {old['msg']}", {
            "error": old["msg"]}
    if old["type"] == "value_error" and type(error) is not KeyError:
        return "value_error", f"Value error, {old['msg']}", {"error": error}
    if old["type"] == "assertion_error":
        return ("assertion_error", f"Assertion failed, {old['msg']}",
                {"error": error})
    return None


def _flat(errors: Any, kind: type) -> list[Any]:
    """The causes of ERRORS in the order of their texts."""
    found: list[Any] = []
    for one in errors:
        if isinstance(one, list):
            found += _flat(one, kind)
        elif isinstance(one.exc, kind):
            found += _flat(one.exc.raw_errors, kind)
        else:
            found.append(one.exc)
    return found


def _newer(self: Any, old: Any, cause: Any) -> dict[str, Any]:
    place = tuple(one for one in old["loc"] if one != "__root__")
    value = _given(getattr(self, "_given", None), place,
                   old["type"] == "value_error.missing")
    words = _of_field(self.model, place, old) or _of_program(old, cause)
    if words is None and old["type"] in _WORDS:
        words = _WORDS[old["type"]](old.get("ctx", {}), value)
    if words is None:
        words = old["type"], old["msg"], old.get("ctx", {})
    kind, text, context = words
    found = {"type": kind, "loc": place, "msg": text, "input": value}
    return {**found, "ctx": context, "url": _URL + kind} if context else \
        {**found, "url": _URL + kind}


def _shown(one: dict[str, Any]) -> str:
    value = repr(one["input"])
    if len(value) > 50:
        value = f"{value[:25]}...{value[-24:]}"
    place = ".".join(map(str, one["loc"]))
    return (f"{place}\n" if place else "") + \
        f"  {one['msg']} [type={one['type']}, input_value={value}, " \
        f"input_type={type(one['input']).__name__}]\n" \
        f"    For further information visit {one['url']}"


def _title(name: str) -> str:
    found = re.fullmatch(r"ParsingModel\[(.*)\]", name)
    return re.sub(r"\b(List|Dict|Set|Tuple)\b", lambda one: one[0].lower(),
                  found[1]) if found else name


def parse(make: Any, kind: Any, given: Any) -> Any:
    """What MAKE makes of GIVEN; a refusal keeps it."""
    try:
        return make(kind, given)
    except ValueError as error:
        error._given = given  # type: ignore[attr-defined]
        raise


def _change_error(kind: Any) -> None:
    plain = kind.errors

    def errors(self: Any, *, include_url: bool = True,
               include_context: bool = True, include_input: bool = True,
               **_options: Any) -> Any:
        left = {name for name, wanted in (
            ("url", include_url), ("ctx", include_context),
            ("input", include_input)) if not wanted}
        found = [_newer(self, *one) for one in zip(
            plain(self), _flat(self.raw_errors, kind))]
        return [{name: value for name, value in one.items()
                 if name not in left} for one in found]

    def __str__(self: Any) -> str:
        found = self.errors()
        return f"{_many(len(found), 'validation error')} for " \
            f"{self.title}\n" + "\n".join(map(_shown, found))

    def json(self: Any, *, indent: Any = None, **options: Any) -> str:
        import json
        found = self.errors(**options)
        return json.dumps(found, indent=indent, default=str,
                          separators=None if indent else (",", ":"))

    replace(kind, "errors", errors)
    replace(kind, "__str__", __str__)
    replace(kind, "json", json)
    kind.__repr__ = kind.__str__
    kind.title = property(lambda self: _title(self.model.__name__))
    kind.error_count = lambda self: len(_flat(self.raw_errors, kind))


def _change_model(pydantic: Any) -> None:
    """A refusal keeps what was given; that of a frozen model is one, too."""
    make, assign = (pydantic.BaseModel.__init__,
                    pydantic.BaseModel.__setattr__)
    refusal = pydantic.ValidationError
    wrapper = pydantic.error_wrappers.ErrorWrapper

    def __init__(__pydantic_self__: Any, **data: Any) -> None:
        try:
            make(__pydantic_self__, **data)
        except refusal as error:
            if type(__pydantic_self__) is error.model:
                error._given = data
            raise

    def __setattr__(self: Any, name: str, value: Any) -> None:
        try:
            assign(self, name, value)
        except refusal as error:
            error._given = {name: value}
            raise
        except TypeError as error:
            found = re.search("is immutable|has allow_mutation", str(error))
            if found is None:
                raise
            part = "instance" if found[0] == "is immutable" else "field"
            refused = _Frozen(f"{part.capitalize()} is frozen")
            refused.code = f"frozen_{part}"
            made = refusal([wrapper(refused, name)], type(self))
            made._given = {name: value}
            raise made from None

    replace(pydantic.BaseModel, "__init__", __init__)
    replace(pydantic.BaseModel, "__setattr__", __setattr__)


def _change_validators(pydantic: Any) -> None:
    """A number is no text, and a number with a fraction no whole one."""
    import decimal  # pydantic has it; a guest without pydantic does not
    for_text, for_number = (pydantic.validators.str_validator,
                            pydantic.validators.int_validator)

    def str_validator(v: Any, config: Any = None) -> Any:
        if isinstance(v, (int, float, decimal.Decimal)) and \
                not isinstance(v, str) and \
                not getattr(config, "coerce_numbers_to_str", False):
            raise pydantic.errors.StrError()
        return for_text(v)

    def int_validator(v: Any) -> Any:
        if isinstance(v, (float, decimal.Decimal)) and v % 1 != 0:
            raise pydantic.errors.IntegerError()
        return for_number(v)

    for old, new in ((for_text, str_validator), (for_number, int_validator)):
        new.__module__ = old.__module__
        for place in (pydantic.validators, pydantic.types):
            setattr(place, old.__name__, new)
        for _, row in pydantic.validators._VALIDATORS:
            row[:] = [new if one is old else one for one in row]


def change_refusals(pydantic: Any) -> None:
    _change_error(pydantic.ValidationError)
    _change_model(pydantic)
    _change_validators(pydantic)
