"""plotting - pictures of importance and of scores, by matplotlib."""

from __future__ import annotations

from typing import Any, Optional

from .basic import Booster
from .sklearn import LGBMModel

__all__ = ["plot_importance", "plot_metric"]


def _axes(ax: Any, figsize: Any, dpi: Any) -> Any:
    import matplotlib.pyplot as plt

    if figsize is not None and (not isinstance(figsize, tuple) or
                                len(figsize) != 2):
        raise TypeError("figsize must be a tuple of 2 elements.")
    return plt.subplots(1, 1, figsize=figsize, dpi=dpi)[1] if ax is None \
        else ax


def _dress(ax: Any, words: dict[str, Optional[str]], grid: bool) -> Any:
    for name, text in words.items():
        if text is not None:
            getattr(ax, f"set_{name}")(text)
    ax.grid(grid)
    return ax


def plot_importance(booster: Any, ax: Any = None, height: float = 0.2,
                    xlim: Any = None, ylim: Any = None,
                    title: Optional[str] = "Feature importance",
                    xlabel: Optional[str] = "Feature importance",
                    ylabel: Optional[str] = "Features",
                    importance_type: str = "auto",
                    max_num_features: Optional[int] = None,
                    ignore_zero: bool = True, figsize: Any = None,
                    dpi: Optional[int] = None, grid: bool = True,
                    precision: Optional[int] = 3, **kwargs: Any) -> Any:
    """Bars of the features' importance; returns the axes."""
    if isinstance(booster, LGBMModel):
        if importance_type == "auto":
            importance_type = booster.importance_type
        booster = booster.booster_
    elif isinstance(booster, Booster):
        importance_type = "split" if importance_type == "auto" else \
            importance_type
    else:
        raise TypeError("booster must be Booster or LGBMModel.")
    values = booster.feature_importance(importance_type)
    if not len(values):
        raise ValueError("Booster's feature_importance is empty.")
    pairs = sorted(zip(booster.feature_name(), values),
                   key=lambda pair: pair[1])
    if ignore_zero:
        pairs = [pair for pair in pairs if pair[1] > 0]
    if max_num_features is not None and max_num_features > 0:
        pairs = pairs[-max_num_features:]
    if not pairs:
        raise ValueError("Booster was not trained, or no feature was split "
                         "on.")
    ax = _axes(ax, figsize, dpi)
    names, values = zip(*pairs)
    places = range(len(values))
    ax.barh(places, values, align="center", height=height, **kwargs)
    for at, value in zip(places, values):
        shown = f"{value:.{precision}f}" if precision is not None and \
            importance_type == "gain" else value
        ax.text(value + 1, at, shown, va="center")
    ax.set_yticks(list(places), names)
    ax.set_xlim(xlim or (0, max(values) * 1.1))
    ax.set_ylim(ylim or (-1, len(values)))
    words = {"title": title and title.replace("@importance_type@",
                                              importance_type),
             "xlabel": xlabel and xlabel.replace("@importance_type@",
                                                 importance_type),
             "ylabel": ylabel}
    return _dress(ax, words, grid)


def plot_metric(booster: Any, metric: Optional[str] = None,
                dataset_names: Any = None, ax: Any = None, xlim: Any = None,
                ylim: Any = None,
                title: Optional[str] = "Metric during training",
                xlabel: Optional[str] = "Iterations",
                ylabel: Optional[str] = "@metric@", figsize: Any = None,
                dpi: Optional[int] = None, grid: bool = True) -> Any:
    """Lines of a score over the rounds; returns the axes."""
    if isinstance(booster, LGBMModel):
        results = booster.evals_result_
    elif isinstance(booster, dict):
        results = booster
    elif isinstance(booster, Booster):
        raise TypeError("booster must be dict or LGBMModel. To use "
                        "plot_metric with Booster type, first record the "
                        "metrics using record_evaluation callback then pass "
                        "that to plot_metric as argument `booster`")
    else:
        raise TypeError("booster must be dict or LGBMModel.")
    if not results:
        raise ValueError("eval results cannot be empty.")
    names = list(dataset_names or results)
    found = results[names[0]]
    if metric is None:
        if len(found) > 1:
            print("More than one metric available, picking one to plot.")
        metric = next(iter(found))
    elif metric not in found:
        raise KeyError("No given metric in eval results.")
    ax = _axes(ax, figsize, dpi)
    lines = [results[name][metric] for name in names]
    for name, line in zip(names, lines):
        ax.plot(range(len(line)), line, label=name)
    ax.legend(loc="best")
    ax.set_xlim(xlim or (0, len(lines[0])))
    least, most = min(map(min, lines)), max(map(max, lines))
    edge = (most - least) * 0.2
    ax.set_ylim(ylim or (least - edge, most + edge))
    return _dress(ax, {"title": title, "xlabel": xlabel,
                       "ylabel": ylabel and ylabel.replace("@metric@",
                                                           metric)}, grid)
