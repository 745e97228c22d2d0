"""The errors, with DuckDB's names, and the first words of their messages."""

from __future__ import annotations

from typing import NoReturn


class Error(Exception):
    """The class of all errors; TITLE begins the message."""

    TITLE = ""


class Warning(Exception):
    pass


class DatabaseError(Error):
    pass


class ProgrammingError(DatabaseError):
    pass


class DataError(DatabaseError):
    pass


class OperationalError(DatabaseError):
    pass


class IntegrityError(DatabaseError):
    pass


class InternalError(DatabaseError):
    pass


class NotSupportedError(DatabaseError):
    pass


def _make(name: str, title: str, parent: type) -> type:
    return type(name, (parent,), {"TITLE": title, "__module__": "duckdb"})


ParserException = _make("ParserException", "Parser Error", ProgrammingError)
SyntaxException = _make("SyntaxException", "Syntax Error", ProgrammingError)
BinderException = _make("BinderException", "Binder Error", ProgrammingError)
CatalogException = _make("CatalogException", "Catalog Error",
                         ProgrammingError)
InvalidInputException = _make("InvalidInputException", "Invalid Input Error",
                              ProgrammingError)
ConversionException = _make("ConversionException", "Conversion Error",
                            DataError)
OutOfRangeException = _make("OutOfRangeException", "Out of Range Error",
                            DataError)
TypeMismatchException = _make("TypeMismatchException", "Mismatch Type Error",
                              DataError)
ConstraintException = _make("ConstraintException", "Constraint Error",
                            IntegrityError)
IOException = _make("IOException", "IO Error", OperationalError)
TransactionException = _make("TransactionException",
                             "TransactionContext Error", OperationalError)
ConnectionException = _make("ConnectionException", "Connection Error",
                            OperationalError)
NotImplementedException = _make("NotImplementedException",
                                "Not implemented Error", NotSupportedError)


def fail(kind: type, text: str) -> NoReturn:
    raise kind(f"{kind.TITLE}: {text}")


def lacks(name: str, instead: str = "") -> NoReturn:
    """Refuse a part of DuckDB that this module does not know."""
    raise NotImplementedError(
        f"duckdb: {name} is not here" + (f"; {instead}" if instead else ""))
