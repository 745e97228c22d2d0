"""datasets - the names of the data sets, without the data."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("load_"):
        def load(*args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError(
                f"lifelines.datasets.{name}: the data are not here; send "
                "them as a file with the request, or make a DataFrame")
        return load
    raise AttributeError(f"module 'lifelines.datasets' has no attribute "
                         f"'{name}'")
