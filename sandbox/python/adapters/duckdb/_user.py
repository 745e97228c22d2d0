"""Functions of the program: create_function()."""

from __future__ import annotations

import datetime as dt
import inspect
from typing import Any, NamedTuple

from . import _types as types
from ._casts import caster
from ._errors import (CatalogException, InvalidInputException, fail, lacks)
from ._scope import E
from ._types import T
from ._values import kept, python_of

_PYTHON = {"int": "BIGINT", "str": "VARCHAR", "float": "DOUBLE",
           "bool": "BOOLEAN", "bytes": "BLOB"}


class User(NamedTuple):
    """A function, the types of its arguments, and that of its result."""

    work: Any
    params: list
    result: T
    nulls: bool
    pure: bool


def type_of(value: Any) -> T:
    """The type that a name, or a type of Python, stands for."""
    if isinstance(value, str):
        return types.parse(_PYTHON.get(value, value))
    for python, kind in ((bool, "BOOLEAN"), (int, "BIGINT"),
                         (float, "DOUBLE"), (str, "VARCHAR"),
                         (bytes, "BLOB"), (dt.datetime, "TIMESTAMP"),
                         (dt.date, "DATE"), (dt.time, "TIME")):
        if value is python:
            return T(kind)
    lacks(f"the type {value!r} of a function")


def create(engine: Any, name: str, work: Any, parameters: Any, result: Any,
           nulls: bool, pure: bool) -> None:
    low = name.lower()
    if low in engine.users:
        fail(CatalogException, f'a function by the name of "{name}" is '
             "already created, creating multiple functions with the same "
             "name is not supported yet, please remove it first")
    hints = getattr(work, "__annotations__", {})
    if parameters is None:
        names = list(inspect.signature(work).parameters)
        if not all(one in hints for one in names):
            fail(InvalidInputException, "Could not infer the parameter "
                 "types, please specify them")
        parameters = [hints[one] for one in names]
    if result is None:
        result = hints.get("return")
        if result is None:
            fail(InvalidInputException, "Could not infer the return type, "
                 "please set it explicitly")
    engine.users[low] = User(work, [type_of(one) for one in parameters],
                             type_of(result), nulls, pure)


def call(binder: Any, name: str, user: User, es: list[E]) -> E:
    from ._arithmetic import no_match
    if len(es) != len(user.params):
        no_match(name, es)
    args = [binder.cast(e, kind).sql for e, kind in zip(es, user.params)]
    makers = [python_of(kind) for kind in user.params]

    def run(*values: Any) -> Any:
        try:
            made = user.work(*(None if one is None else make(one)
                               for one, make in zip(values, makers)))
        except Exception as error:
            fail(InvalidInputException, "Python exception occurred while "
                 f"executing the UDF: {type(error).__name__}: {error}")
        kind, value = kept(made)
        return None if value is None else caster(kind, user.result)(value)
    sql = binder.call(("user", name, id(user)), lambda: run, args,
                      nulls=user.nulls)
    return E(sql, user.result)
