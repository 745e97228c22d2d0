"""The exceptions of pyarrow, and how the adapter says that a part lacks."""

from __future__ import annotations

from typing import Any, Callable, NoReturn


class ArrowException(Exception):
    """The base of all."""


class ArrowInvalid(ValueError, ArrowException):
    """Data that do not fit, or broken files."""


class ArrowTypeError(TypeError, ArrowException):
    """A value of another type."""


class ArrowNotImplementedError(NotImplementedError, ArrowException):
    """A cast or kernel that does not exist."""


class ArrowKeyError(KeyError, ArrowException):
    """A key that is not there."""

    __str__ = ArrowException.__str__


class ArrowIndexError(IndexError, ArrowException):
    """An index beyond the end."""


class ArrowMemoryError(MemoryError, ArrowException):
    """Too little memory."""


class ArrowCapacityError(ArrowException):
    """Too many bytes in one array."""


class ArrowSerializationError(ArrowException):
    """A message that cannot be read."""


class ArrowCancelled(ArrowException):
    """A stopped operation."""


ArrowIOError = IOError


def lacks(part: str, instead: str = "") -> ArrowNotImplementedError:
    """The error for a PART of pyarrow that this adapter does not have."""
    return ArrowNotImplementedError(
        f"{part} is not here" + (f"; {instead}" if instead else ""))


def absent(part: str) -> Callable[..., NoReturn]:
    """A function for PART, which deals with another kind of files."""
    def refuse(*_args: Any, **_options: Any) -> NoReturn:
        raise lacks(part, "Parquet files are: to_parquet() and read_parquet()")
    return refuse


def only(where: str, given: dict[str, Any], known: dict[str, Any]) -> None:
    """Refuse options that are GIVEN with a value other than KNOWN's: those
    without an effect on the result are known with any value (...)."""
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{where} got an unexpected keyword argument "
                            f"'{name}'")
        if known[name] is not ... and value != known[name]:
            raise lacks(f"{where} with {name}={value!r}")
