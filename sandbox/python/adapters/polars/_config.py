"""_config - how tables are printed: pl.Config."""

from __future__ import annotations

import functools
from typing import Any

from .exceptions import not_here

DEFAULTS: dict[str, Any] = {
    "tbl_rows": 10, "tbl_cols": 8, "tbl_width_chars": 100,
    "fmt_str_lengths": 30, "fmt_float": "mixed", "float_precision": None,
    "fmt_table_cell_list_len": 3, "tbl_formatting": "UTF8_FULL_CONDENSED",
    "tbl_hide_column_names": False, "tbl_hide_column_data_types": False,
    "tbl_hide_dtype_separator": False, "tbl_hide_dataframe_shape": False,
    "tbl_dataframe_shape_below": False, "tbl_cell_alignment": "LEFT",
    "tbl_cell_numeric_alignment": None, "ascii_tables": False,
    "tbl_column_data_type_inline": False, "thousands_separator": "",
    "decimal_separator": ".", "trim_decimal_zeros": False, "verbose": False,
    "streaming_chunk_size": None, "auto_structify": False}
STATE = dict(DEFAULTS)
_ON_IF_NONE = {"tbl_hide_column_names", "tbl_hide_column_data_types",
               "tbl_hide_dtype_separator", "tbl_hide_dataframe_shape",
               "tbl_dataframe_shape_below", "ascii_tables",
               "tbl_column_data_type_inline", "verbose"}


class Config:
    """Settings; within `with`, for a while only."""

    def __init__(self, *, apply_on_context_enter: bool = False,
                 **options: Any) -> None:
        self._before = dict(STATE)
        self._options = options
        if not apply_on_context_enter:
            self._apply()

    def _apply(self) -> None:
        for name, value in self._options.items():
            name = name.removeprefix("set_")
            if name not in DEFAULTS:
                raise AttributeError(f"`Config` has no option {name!r}")
            getattr(Config, "set_" + name)(value)

    def __enter__(self) -> "Config":
        self._apply()
        return self

    def __exit__(self, *_: Any) -> None:
        STATE.update(self._before)

    def __call__(self, function: Any) -> Any:
        options = self._options

        @functools.wraps(function)
        def run(*args: Any, **more: Any) -> Any:
            with Config(**options):
                return function(*args, **more)
        return run

    @classmethod
    def restore_defaults(cls) -> type["Config"]:
        STATE.update(DEFAULTS)
        return cls

    @classmethod
    def state(cls, if_set: bool = False, env_only: bool = False) -> Any:
        return {name: value for name, value in STATE.items()
                if not if_set or value != DEFAULTS[name]}

    @classmethod
    def set_fmt_float(cls, fmt: Any = "mixed") -> type["Config"]:
        if fmt not in ("mixed", "full"):
            raise ValueError(f"invalid fmt_float {fmt!r}")
        STATE["fmt_float"] = fmt
        return cls

    @classmethod
    def set_ascii_tables(cls, active: Any = True) -> type["Config"]:
        STATE["tbl_formatting"] = "ASCII_FULL_CONDENSED" if active else \
            DEFAULTS["tbl_formatting"]
        return cls

    @classmethod
    def set_thousands_separator(cls, separator: Any = None) -> type["Config"]:
        STATE["thousands_separator"] = "," if separator is True else \
            separator or ""
        return cls

    @classmethod
    def set_tbl_formatting(cls, format: Any = None,
                           rounded_corners: Any = False) -> type["Config"]:
        from ._print import STYLES
        if rounded_corners:
            raise not_here("set_tbl_formatting(rounded_corners=True)")
        if format is not None and format not in STYLES:
            raise not_here(f"set_tbl_formatting({format!r})")
        STATE["tbl_formatting"] = format or DEFAULTS["tbl_formatting"]
        return cls

    @classmethod
    def set_trim_decimal_zeros(cls, active: Any = True) -> type["Config"]:
        raise not_here("set_trim_decimal_zeros")


def _setter(name: str) -> Any:
    def change(cls: Any, value: Any = None) -> Any:
        if value is None:
            value = True if name in _ON_IF_NONE else DEFAULTS[name]
        STATE[name] = value
        return cls
    return classmethod(change)


for _name in DEFAULTS:
    if not hasattr(Config, "set_" + _name):
        setattr(Config, "set_" + _name, _setter(_name))
