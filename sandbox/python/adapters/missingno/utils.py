"""Rows and columns by how full they are."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np


def nullity_sort(df: Any, sort: Optional[str] = None,
                 axis: str = "columns") -> Any:
    """DF with its rows by how full they are; its columns, if AXIS is rows."""
    if sort is None:
        return df
    if sort not in ("ascending", "descending"):
        raise ValueError('The "sort" parameter must be set to "ascending" or '
                         '"descending".')
    if axis not in ("rows", "columns"):
        raise ValueError('The "axis" parameter must be set to "rows" or '
                         '"columns".')
    order = np.argsort(df.count(axis=axis).values)
    if sort == "descending":
        order = order[::-1]
    return df.iloc[order, :] if axis == "columns" else df.iloc[:, order]


def nullity_filter(df: Any, filter: Optional[str] = None, p: float = 0,
                   n: int = 0) -> Any:
    """The columns of DF that are full from P on (or up to P); N of them."""
    if filter not in ("top", "bottom"):
        return df
    top = filter == "top"
    if p:
        shares = df.count(axis="rows").values / len(df)
        df = df.iloc[:, shares >= p if top else shares <= p]
    if n:
        order = np.argsort(df.count(axis="rows").values)
        df = df.iloc[:, np.sort(order[-n:] if top else order[:n])]
    return df
