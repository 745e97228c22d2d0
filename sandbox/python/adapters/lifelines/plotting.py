"""plotting - plots of more than one curve."""

from __future__ import annotations

from typing import Any


def add_at_risk_counts(*fitters: Any, ax: Any = None, **kwargs: Any) -> Any:
    raise NotImplementedError("lifelines.plotting.add_at_risk_counts is not "
                              "here; print fitter.event_table['at_risk']")


def plot_lifetimes(*args: Any, **kwargs: Any) -> Any:
    raise NotImplementedError("lifelines.plotting.plot_lifetimes is not here; "
                              "use matplotlib's hlines")
