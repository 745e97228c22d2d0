"""newer_databases - sqlalchemy 2's declarative classes, for sqlalchemy 1.4.

Programs are written for sqlalchemy 2, while Debian 12 has 1.4. A class below
DeclarativeBase has its columns in annotations: Mapped[TYPE], with mapped_column()
or relationship() or nothing as its value. They become Column and relationship()
of 1.4 before the class is mapped. Mapped classes that are dataclasses are a
hint's (renamed.py).
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import enum
import sys
import types
import typing
from typing import Any, Iterator, Optional

_modules, _types = sys.modules, types
_origin, _arguments = typing.get_origin, typing.get_args
_Annotated, _ForwardRef, _Union = typing.Annotated, typing.ForwardRef, \
    typing.Union
_Enum = enum.Enum
_COLLECTIONS = (list, set)
_SINCE_2 = ("init", "repr", "default_factory", "compare", "kw_only",
            "sort_order", "use_existing_column", "deferred", "active_history")


class _Names(dict):  # type: ignore[type-arg]
    """The names for an annotation. One that is not there is its own text."""

    def __missing__(self, name: str) -> Any:
        return __builtins__.get(name, name)


class _Relationship(typing.NamedTuple):
    """A relationship() that has no class yet."""

    given: dict[str, Any]


def _types_of_columns() -> dict[Any, str]:
    """By the annotation. sqlalchemy has imported these modules."""
    import datetime
    import decimal
    import uuid
    return {
        int: "Integer", float: "Float", str: "String", bool: "Boolean",
        bytes: "LargeBinary", decimal.Decimal: "Numeric",
        datetime.datetime: "DateTime", datetime.date: "Date",
        datetime.time: "Time", datetime.timedelta: "Interval",
        uuid.UUID: "Uuid", dict: "JSON", list: "JSON"}


def _evaluated(annotation: Any, module: str) -> Any:
    if type(annotation) is str:
        names = _Names(vars(_modules.get(module, _types)))
        return eval(annotation, {"__builtins__": {}}, names)
    return annotation


def _optional(kind: Any) -> tuple[Any, bool]:
    """KIND without None, and whether it had one."""
    if _origin(kind) in (_Union, _types.UnionType):
        rest = [one for one in _arguments(kind) if one is not type(None)]
        if len(rest) == 1 and len(_arguments(kind)) == 2:
            return rest[0], True
    return kind, False


def _name_of(kind: Any) -> Any:
    return kind.__forward_arg__ if type(kind) is _ForwardRef else kind


def _mapped(cls: Any, mapped: Any) -> Iterator[tuple[str, Any, Any]]:
    """The annotations Mapped[KIND] of a class: name, KIND, and the value."""
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        kind = _evaluated(annotation, cls.__module__)
        if _origin(kind) is mapped:
            kind = _evaluated(_name_of(_arguments(kind)[0]), cls.__module__)
            yield name, kind, cls.__dict__.get(name)


def _as_written(cls: Any) -> list[str]:
    """The names of a class in the order of its text.

    Those with an annotation, each before it the ones without that are known to
    stand there: a name with both is in both lists.
    """
    names: list[str] = []
    plain = list(cls.__dict__)
    for name in cls.__dict__.get("__annotations__", {}):
        if name in plain:
            place = plain.index(name)
            names += plain[:place]
            del plain[:place + 1]
        names.append(name)
    return names + plain


def _change_orm(orm: Any) -> None:
    sql = _modules["sqlalchemy"]
    if hasattr(orm, "DeclarativeBase"):
        return
    plain_relationship, Column = orm.relationship, sql.Column
    types_of_columns = _types_of_columns()

    def type_of(kind: Any, known: dict[Any, Any]) -> Any:
        for kind in (kind, _origin(kind) or kind):
            if kind in known:
                return known[kind]
        if isinstance(kind, type) and issubclass(kind, _Enum):
            return sql.Enum(kind)
        name = types_of_columns.get(kind)
        if name is None:
            raise sql.exc.ArgumentError(
                f"no column type is known for the annotation {kind!r}")
        return getattr(sql, name)()

    def mapped_column(*given: Any, nullable: Optional[bool] = None,
                      insert_default: Any = None, **options: Any) -> Any:
        for name in _SINCE_2:
            options.pop(name, None)
        if insert_default is not None:
            options["default"] = insert_default
        if nullable is not None:
            options["nullable"] = nullable
        column = Column(*given, **options)
        column.info["nullable"] = nullable
        return column

    def relationship(argument: Any = None, *rest: Any, **given: Any) -> Any:
        for name in _SINCE_2:
            given.pop(name, None)
        return _Relationship(given) if argument is None and not rest else \
            plain_relationship(argument, *rest, **given)

    def related(kind: Any, given: dict[str, Any]) -> Any:
        kind, _ = _optional(kind)
        many = _origin(kind) in _COLLECTIONS
        if many:
            given.setdefault("collection_class", _origin(kind))
        target = _name_of(_arguments(kind)[0] if many else kind)
        return plain_relationship(
            target, **{"uselist": many, **given})

    def column_of(kind: Any, column: Any, known: dict[Any, Any]) -> Any:
        column = mapped_column() if column is None else column
        kind, empty = _optional(kind)
        if _origin(kind) is _Annotated:
            for one in _arguments(kind)[1:]:
                if isinstance(one, Column):
                    column = one.copy()
            kind, inner = _optional(_arguments(kind)[0])
            empty = empty or inner
        if isinstance(column.type, sql.types.NullType) and \
                not column.foreign_keys:
            column.type = type_of(kind, known)
        if column.info.get("nullable") is None and not column.primary_key:
            column.nullable = empty
        return column

    def put_in_order(cls: Any, names: list[str]) -> None:
        columns = [one for one in (cls.__dict__.get(name) for name in names)
                   if isinstance(one, Column)]
        places = sorted(one._creation_order for one in columns)
        for one, place in zip(columns, places):
            one._creation_order = place

    def complete(cls: Any) -> None:
        names = _as_written(cls)
        known = getattr(cls, "type_annotation_map", {})
        for name, kind, value in list(_mapped(cls, orm.Mapped)):
            if type(value) is _Relationship:
                new = related(kind, value.given)
            elif value is None or isinstance(value, Column):
                new = column_of(kind, value, known)
            else:
                continue
            type.__setattr__(cls, name, new)
        put_in_order(cls, names)

    class Meta(orm.DeclarativeMeta):  # type: ignore[misc,name-defined]
        def __init__(cls, name: str, bases: Any, names: Any,
                     **options: Any) -> None:
            if DeclarativeBase in bases:
                if "registry" not in names:
                    metadata = names.get("metadata")
                    type.__setattr__(cls, "registry", orm.registry(
                        **({"metadata": metadata} if metadata else {})))
                type.__setattr__(cls, "metadata", cls.registry.metadata)
                type.__setattr__(cls, "__init__", cls.registry.constructor)
                type.__setattr__(cls, "__abstract__", True)
            elif "__tablename__" in names or "__table__" in names or \
                    "__annotations__" in names:
                complete(cls)
            super().__init__(name, bases, names, **options)

    DeclarativeBase = type.__new__(Meta, "DeclarativeBase", (), {
        "__module__": orm.__name__, "__qualname__": "DeclarativeBase"})
    add(orm, mapped_column=mapped_column)
    orm.DeclarativeBase = DeclarativeBase
    orm.relationship = relationship


def _change_sqlalchemy(sql: Any) -> None:
    if not sql.__version__.startswith("1."):
        return

    def commit(self: Any) -> None:
        """A connection of 1.4 has committed each statement already."""

    class Uuid(sql.types.TypeDecorator):  # type: ignore[misc,name-defined]
        impl, cache_ok = sql.String(36), True

        def process_bind_param(self, value: Any, dialect: Any) -> Any:
            return None if value is None else str(value)

        def process_result_value(self, value: Any, dialect: Any) -> Any:
            import uuid
            return None if value is None else uuid.UUID(value)

    # It tells the operator to pin the version, which misleads a program.
    sql.util.deprecations.SILENCE_UBER_WARNING = True
    add(sql, Double=sql.Float, Uuid=Uuid)
    add(sql.engine.Connection, commit=commit)


when_imported({"sqlalchemy": _change_sqlalchemy,
               "sqlalchemy.orm": _change_orm})
