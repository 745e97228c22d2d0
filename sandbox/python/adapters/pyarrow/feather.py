"""pyarrow.feather: not here; its names say so."""

from __future__ import annotations

from typing import Any, NoReturn

from ._errors import lacks

_INSTEAD = "Parquet files are: to_parquet() and read_parquet()"


def write_feather(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Writing Feather files", _INSTEAD)


def read_feather(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Reading Feather files", _INSTEAD)


def read_table(*_args: Any, **_options: Any) -> NoReturn:
    raise lacks("Reading Feather files", _INSTEAD)
