"""scores - the metrics, by the names of the library."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._losses import gains
from ._names import LightGBMError

_LEAST = 1e-15
_ALIASES = """
l2: regression regression_l2 mean_squared_error mse
l1: mean_absolute_error mae regression_l1
rmse: l2_root root_mean_squared_error
mape: mean_absolute_percentage_error
ndcg: lambdarank rank_xendcg xendcg xe_ndcg xe_ndcg_mart xendcg_mart
map: mean_average_precision
binary_logloss: binary
multi_logloss: multiclass softmax multiclassova multiclass_ova ova ovr
cross_entropy: xentropy
"""
_NAMES = {other: row.partition(":")[0]
          for row in _ALIASES.strip().split("\n")
          for other in row.partition(":")[2].split()}
HIGHER = frozenset(["auc", "average_precision", "ndcg", "map"])
_Score = Callable[..., float]


def _mean(values: Any, w: Any) -> float:
    return float(np.average(values, weights=w))


def _rank_sum(y: Any, p: Any, w: Any) -> float:
    """The area under the curve of true and false positives."""
    w = np.ones(len(y)) if w is None else w
    _, place = np.unique(p, return_inverse=True)
    above = np.bincount(place, weights=w * (y > 0))
    below = np.bincount(place, weights=w * (y <= 0))
    if not above.sum() or not below.sum():
        return 1.0
    lower = np.cumsum(below) - below
    return float((above * (lower + below / 2)).sum() /
                 (above.sum() * below.sum()))


def _average_precision(y: Any, p: Any, w: Any) -> float:
    w = np.ones(len(y)) if w is None else w
    _, place = np.unique(-p, return_inverse=True)
    above = np.bincount(place, weights=w * (y > 0))
    every = np.cumsum(np.bincount(place, weights=w))
    if not above.sum():
        return 1.0
    return float((above * np.cumsum(above) / every).sum() / above.sum())


def _log_loss(y: Any, p: Any, w: Any) -> float:
    p = np.clip(p, _LEAST, 1 - _LEAST)
    return _mean(-np.where(y > 0, np.log(p), np.log(1 - p)), w)


def _cross(y: Any, p: Any, w: Any) -> float:
    p = np.clip(p, _LEAST, 1 - _LEAST)
    return _mean(-(y * np.log(p) + (1 - y) * np.log(1 - p)), w)


def _own(y: Any, p: Any) -> Any:
    """The probability of each row's own class."""
    return p[np.arange(len(y)), y.astype(int)]


def _multi_error(y: Any, p: Any, w: Any) -> float:
    """A tie with another class is an error."""
    more = (p >= _own(y, p)[:, None]).sum(axis=1)
    return _mean(more > 1, w)


def _huber(y: Any, p: Any, w: Any, setup: dict[str, Any]) -> float:
    away, most = np.abs(p - y), setup["alpha"]
    return _mean(np.where(away <= most, away * away / 2,
                          most * (away - most / 2)), w)


def _fair(y: Any, p: Any, w: Any, setup: dict[str, Any]) -> float:
    c, away = setup["fair_c"], np.abs(p - y)
    return _mean(c * away - c * c * np.log1p(away / c), w)


def _quantile(y: Any, p: Any, w: Any, setup: dict[str, Any]) -> float:
    share, away = setup["alpha"], y - p
    return _mean(np.where(away < 0, (share - 1) * away, share * away), w)


def _tweedie(y: Any, p: Any, w: Any, setup: dict[str, Any]) -> float:
    rho, p = setup["tweedie_variance_power"], np.maximum(p, 1e-10)
    return _mean(p ** (2 - rho) / (2 - rho) - y * p ** (1 - rho) / (1 - rho),
                 w)


def _gamma(y: Any, p: Any, w: Any) -> float:
    return _mean(y / p + np.log(p), w)


def _gamma_deviance(y: Any, p: Any, w: Any) -> float:
    away = y / (p + 1e-9)
    total = 2 * (away - np.log(away) - 1)
    return float(total.sum() if w is None else (total * w).sum())


_PLAIN: dict[str, _Score] = {
    "l1": lambda y, p, w: _mean(np.abs(y - p), w),
    "l2": lambda y, p, w: _mean((y - p) ** 2, w),
    "rmse": lambda y, p, w: float(np.sqrt(_mean((y - p) ** 2, w))),
    "mape": lambda y, p, w: _mean(
        np.abs(y - p) / np.maximum(1, np.abs(y)), w),
    "poisson": lambda y, p, w: _mean(
        p - y * np.log(np.maximum(p, 1e-10)), w),
    "gamma": _gamma, "gamma_deviance": _gamma_deviance,
    "auc": _rank_sum, "average_precision": _average_precision,
    "binary_logloss": _log_loss, "cross_entropy": _cross,
    "binary_error": lambda y, p, w: _mean((p > 0.5) != (y > 0), w),
    "multi_logloss": lambda y, p, w: _mean(
        -np.log(np.maximum(_own(y, p), _LEAST)), w),
    "multi_error": _multi_error,
}
_WITH_SETTINGS: dict[str, _Score] = {
    "huber": _huber, "fair": _fair, "quantile": _quantile,
    "tweedie": _tweedie}


def _ndcg(y: Any, score: Any, top: int, gain: Any) -> float:
    share = 1 / np.log2(np.arange(min(top, len(y))) + 2)
    each = gain[y.astype(int)]
    ideal = (np.sort(each)[::-1][:top] * share).sum()
    if ideal <= 0:
        return 1.0
    order = np.argsort(-score, kind="stable")[:top]
    return float((each[order] * share).sum() / ideal)


def _map(y: Any, score: Any, top: int, _gain: Any) -> float:
    hits = y[np.argsort(-score, kind="stable")][:top] > 0
    total = min(int((y > 0).sum()), top)
    if not total:
        return 1.0
    return float((hits * np.cumsum(hits) /
                  (np.arange(len(hits)) + 1)).sum() / total)


_RANKED = {"ndcg": _ndcg, "map": _map}


def _ranked(name: str, y: Any, score: Any, groups: Any,
            setup: dict[str, Any]) -> list[tuple[str, float]]:
    if groups is None:
        raise LightGBMError("The NDCG metric requires query information"
                            if name == "ndcg" else
                            "For MAP metric, there should be query "
                            "information")
    ends, gain = np.cumsum(groups), gains(setup)
    tops = setup["eval_at"] or [1, 2, 3, 4, 5]
    if isinstance(tops, str):
        tops = tops.split(",")
    return [(f"{name}@{int(top)}", float(np.mean(
        [_RANKED[name](y[begin:end], score[begin:end], int(top), gain)
         for begin, end in zip(ends - groups, ends)])))
        for top in np.atleast_1d(tops)]


def metrics_of(setup: dict[str, Any], default: str) -> list[str]:
    """The names of the metrics that the parameters ask for."""
    given = setup["metric"]
    if isinstance(given, str):
        given = given.split(",")
    elif given is None or callable(given):
        given = []
    elif not isinstance(given, (list, tuple, set)):
        given = [given]
    found: list[str] = []
    for one in [str(one).strip() for one in given] or [default]:
        top = one.partition("@")
        name = _NAMES.get(top[0], top[0])
        if top[1]:
            setup["eval_at"] = [int(at) for at in top[2].split(",")]
        if name in ("None", "none", "na", "null", "custom"):
            return []
        if not name:
            continue
        if name not in _PLAIN and name not in _WITH_SETTINGS and \
                name not in _RANKED:
            if name in ("auc_mu", "kullback_leibler", "kldiv",
                        "cross_entropy_lambda", "xentlambda"):
                raise NotImplementedError(f"the metric {name} is not here")
            raise LightGBMError(f"Unknown metric type name: {name}")
        if name not in found:
            found.append(name)
    return found


def scored(name: str, y: Any, p: Any, score: Any, w: Any, groups: Any,
           setup: dict[str, Any]) -> list[tuple[str, float, bool]]:
    """The values of a metric of results P, or for ranks of raw scores."""
    wide = name.startswith("multi")
    if wide != (p.ndim == 2):
        raise LightGBMError("Multiclass objective and metrics don't match"
                            if p.ndim == 2 or wide else name)
    if name in _RANKED:
        rows = _ranked(name, y, score, groups, setup)
    elif name in _PLAIN:
        rows = [(name, _PLAIN[name](y, p, w))]
    else:
        rows = [(name, _WITH_SETTINGS[name](y, p, w, setup))]
    return [(one, value, name in HIGHER) for one, value in rows]
