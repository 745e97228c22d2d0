"""testing - frames and columns that must be equal."""

from __future__ import annotations

from typing import Any

from ._frame import DataFrame
from ._series import Series


def _values(kind: str, what: str, left: Any, right: Any) -> AssertionError:
    return AssertionError(f"{kind} are different ({what})\n[left]:  {left}\n"
                          f"[right]: {right}")


def assert_series_equal(left: Any, right: Any, *, check_dtypes: bool = True,
                        check_names: bool = True, check_order: bool = True,
                        check_exact: bool = False, rtol: float = 1e-5,
                        atol: float = 1e-8) -> None:
    if len(left) != len(right):
        raise _values("Series", "length mismatch", len(left), len(right))
    if check_names and left.name != right.name:
        raise _values("Series", "name mismatch", left.name, right.name)
    if check_dtypes and left.dtype != right.dtype:
        raise _values("Series", "dtype mismatch", left.dtype, right.dtype)
    if not check_order:
        left, right = left.sort(), right.sort()
    for one, two in zip(left.to_list(), right.to_list()):
        close = one == two or one != one and two != two
        if not close and not check_exact and isinstance(one, float) and \
                isinstance(two, (int, float)):
            close = abs(one - two) <= atol + rtol * abs(two)
        if not close:
            raise _values("Series", "exact value mismatch",
                          left.to_list(), right.to_list())


def assert_frame_equal(left: Any, right: Any, *,
                       check_row_order: bool = True,
                       check_column_order: bool = True,
                       check_dtypes: bool = True, check_exact: bool = False,
                       rtol: float = 1e-5, atol: float = 1e-8) -> None:
    if hasattr(left, "collect"):
        left, right = left.collect(), right.collect()
    assert isinstance(left, DataFrame) and isinstance(right, DataFrame)
    if set(left.columns) != set(right.columns) or \
            check_column_order and left.columns != right.columns:
        raise _values("DataFrames", "columns are not the same", left.columns,
                      right.columns)
    if left.height != right.height:
        raise _values("DataFrames", "number of rows does not match",
                      left.height, right.height)
    right = right.select(left.columns)
    if not check_row_order:
        left, right = left.sort(left.columns), right.sort(left.columns)
    for name in left.columns:
        try:
            assert_series_equal(left[name], right[name],
                                check_dtypes=check_dtypes,
                                check_exact=check_exact, rtol=rtol, atol=atol)
        except AssertionError as why:
            raise AssertionError("DataFrames are different (value mismatch "
                                 f"for column {name!r})\n{why}") from None


__all__ = ["Series", "assert_frame_equal", "assert_series_equal"]
