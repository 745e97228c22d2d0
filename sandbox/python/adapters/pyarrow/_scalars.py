"""One value of a type: the result of a sum, or an item of an array."""

from __future__ import annotations

from typing import Any

from . import _types as t

_NAMES = {"null": "NullScalar", "bool": "BooleanScalar"}


class Scalar:
    """A value that as_py() gives; it may be null."""

    def __init__(self, type: Any, value: Any) -> None:
        self.type, self._value = type, value
        self.__class__ = _class_of(type)

    @property
    def is_valid(self) -> bool:
        return self._value is not None

    def as_py(self) -> Any:
        return self._value

    def cast(self, target_type: Any, safe: bool = True) -> "Scalar":
        from ._build import array
        return array([self._value], self.type).cast(target_type, safe)[0]

    def equals(self, other: Any) -> bool:
        return isinstance(other, Scalar) and self.type == other.type and \
            self._value == other._value

    def __eq__(self, other: Any) -> Any:
        return self.equals(other) if isinstance(other, Scalar) else \
            NotImplemented

    def __hash__(self) -> int:
        return hash(repr(self._value))

    def __repr__(self) -> str:
        value = list(self._value.items()) if isinstance(
            self._value, dict) else self._value
        return f"<pyarrow.{type(self).__name__}: {value!r}>"

    def __str__(self) -> str:
        return str(self._value)

    def __bool__(self) -> bool:
        """As other objects: a scalar is true, even False's."""
        return True

    def __len__(self) -> int:
        return len(self._value)

    def __getitem__(self, key: Any) -> Any:
        if self.type._kind == "struct":
            return Scalar(self.type.field(key).type, self._value[
                self.type.field(key).name])
        return Scalar(self.type.value_type, self._value[key])


_CLASSES: dict[str, type] = {}


def _class_of(type_: Any) -> type:
    from ._array import CLASSES
    name = CLASSES[type_._kind].__name__.replace("Array", "Scalar")
    if name not in _CLASSES:
        kept = {"__module__": "pyarrow.lib"}
        if type_._kind not in ("list", "struct", "string", "binary", "map"):
            kept["__len__"] = None  # type: ignore[assignment]
        _CLASSES[name] = type(name, (Scalar,), kept)
    return _CLASSES[name]


def scalar(value: Any, type: Any = None, *, from_pandas: Any = None) -> Scalar:
    """pa.scalar()"""
    from ._build import array
    if isinstance(value, Scalar):
        return value if type is None else value.cast(type)
    return array([value], type, from_pandas=from_pandas)[0]


NULL = t.null()
