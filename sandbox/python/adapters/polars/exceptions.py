"""exceptions - polars' errors by their names."""

from __future__ import annotations

from typing import Any, Iterable


class PolarsError(Exception):
    """The base of all errors of polars."""


class ColumnNotFoundError(PolarsError):
    """A name is no column's."""


class ComputeError(PolarsError):
    """A computation failed."""


class DuplicateError(PolarsError):
    """A name would be two columns'."""


class InvalidOperationError(PolarsError):
    """An operation does not exist for the type, or failed in a value."""


class NoDataError(PolarsError):
    """Data are empty."""


class OutOfBoundsError(PolarsError):
    """An index is beyond the end."""


class PanicException(PolarsError):
    """polars itself stopped."""


class SchemaError(PolarsError):
    """A type is not the expected one."""


class SchemaFieldNotFoundError(PolarsError):
    """A name is not in the schema."""


class ShapeError(PolarsError):
    """Lengths differ."""


class SQLInterfaceError(PolarsError):
    """SQL is not understood."""


class StringCacheMismatchError(PolarsError):
    """Categories differ."""


class StructFieldNotFoundError(PolarsError):
    """A name is no field's."""


class RowsError(PolarsError):
    """Not as many rows as wanted."""


class NoRowsReturnedError(RowsError):
    """No row, where one is wanted."""


class TooManyRowsReturnedError(RowsError):
    """Many rows, where one is wanted."""


class PolarsWarning(Warning):
    """The base of all warnings of polars."""


class CategoricalRemappingWarning(PolarsWarning):
    """Categories are recoded."""


class MapWithoutReturnDtypeWarning(PolarsWarning):
    """map_elements without a return_dtype."""


class PerformanceWarning(PolarsWarning):
    """A slow way."""


def no_column(name: Any, names: Iterable[str]) -> ColumnNotFoundError:
    """The error for NAME, which is none of NAMES."""
    valid = ", ".join(f'"{one}"' for one in names)
    return ColumnNotFoundError(
        f'unable to find column "{name}"; valid columns: [{valid}]')


def not_here(name: str, instead: str = "") -> NotImplementedError:
    """The error for a part of polars that this adapter lacks."""
    more = f"; instead take {instead}" if instead else ""
    return NotImplementedError(f"{name} is not here{more}")
