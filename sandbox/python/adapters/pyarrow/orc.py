"""pyarrow.orc: not here; its names say so."""

from __future__ import annotations

from typing import Any, NoReturn

from ._errors import lacks

_INSTEAD = "Parquet files are: to_parquet() and read_parquet()"


def write_table(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Writing ORC files", _INSTEAD)


def read_table(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Reading ORC files", _INSTEAD)


def ORCFile(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Reading ORC files", _INSTEAD)
