"""losses - what is made small: gradients, starts and results.

A loss has labels `y` and weights `w` (or None). Scores are arrays of rows, or
of rows and classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._names import LightGBMError


def sigmoid(values: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-values))


def softmax(scores: Any) -> Any:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def quantile(values: Any, share: float, weights: Any = None) -> float:
    """The quantile of VALUES, by WEIGHTS if there are some."""
    if not len(values):
        return 0.0
    if weights is None:
        return float(np.quantile(values, share))
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    at = np.searchsorted(sums, share * sums[-1])
    return float(values[order][min(at, len(values) - 1)])


class Loss:
    """The base: squares of differences."""

    name, metric, width = "regression", "l2", 1
    constant = True             # the second derivative is 1
    renews = False              # leaves get values of their own afterwards

    def __init__(self, setup: dict[str, Any]) -> None:
        self.setup = setup

    def learn(self, y: Any, w: Any, groups: Any) -> None:
        self.y, self.w, self.groups = y, w, groups
        self.check()

    def check(self) -> None:
        """Refuse labels that cannot be."""

    def start(self) -> Any:
        return float(np.average(self.y, weights=self.w))

    def gradients(self, score: Any) -> tuple[Any, Any]:
        first, second = self.slopes(score)
        if self.w is None:
            return first, second
        if second is None:
            second = np.ones_like(first)
        w = self.w if first.ndim == 1 else self.w[:, None]
        return first * w, second * w

    def slopes(self, score: Any) -> tuple[Any, Any]:
        return score - self.y, None

    def result(self, score: Any) -> Any:
        return score

    def renewed(self, rest: Any, rows: Any) -> float:
        """A leaf's value: of differences REST in its ROWS."""
        raise NotImplementedError

    def lines(self) -> list[str]:
        return []


class L1(Loss):
    name, metric, renews = "regression_l1", "l1", True
    share = 0.5

    def start(self) -> Any:
        return quantile(self.y, self.share, self.w)

    def slopes(self, score: Any) -> tuple[Any, Any]:
        return np.sign(score - self.y), None

    def renewed(self, rest: Any, rows: Any) -> float:
        return quantile(rest, self.share,
                        None if self.w is None else self.w[rows])


class Quantile(L1):
    name = metric = "quantile"

    def __init__(self, setup: dict[str, Any]) -> None:
        super().__init__(setup)
        self.share = setup["alpha"]
        if not 0 < self.share < 1:
            raise LightGBMError("Check failed: alpha_ > 0 && alpha_ < 1")

    def slopes(self, score: Any) -> tuple[Any, Any]:
        return np.where(score > self.y, 1 - self.share, -self.share), None


class Mape(L1):
    name = metric = "mape"

    def learn(self, y: Any, w: Any, groups: Any) -> None:
        super().learn(y, w, groups)
        each = 1 / np.maximum(1, np.abs(y))
        self.w = each if w is None else each * w


class Huber(Loss):
    name = metric = "huber"

    def slopes(self, score: Any) -> tuple[Any, Any]:
        most = self.setup["alpha"]
        return np.clip(score - self.y, -most, most), None


class Fair(Loss):
    name, metric, constant = "fair", "fair", False

    def slopes(self, score: Any) -> tuple[Any, Any]:
        c, away = self.setup["fair_c"], score - self.y
        return c * away / (np.abs(away) + c), (c / (np.abs(away) + c)) ** 2


class Poisson(Loss):
    name = metric = "poisson"
    constant, least = False, 0.0

    def check(self) -> None:
        if (self.y < 0).any():
            raise LightGBMError(f"[{self.name}]: at least one target label is "
                                "negative")
        if self.y.sum() == 0:
            raise LightGBMError(f"[{self.name}]: sum of labels is zero")

    def start(self) -> Any:
        return float(np.log(np.average(self.y, weights=self.w)))

    def slopes(self, score: Any) -> tuple[Any, Any]:
        more = np.exp(score)
        return more - self.y, more * np.exp(
            self.setup["poisson_max_delta_step"])

    def result(self, score: Any) -> Any:
        return np.exp(score)


class Gamma(Poisson):
    name = metric = "gamma"

    def slopes(self, score: Any) -> tuple[Any, Any]:
        share = self.y * np.exp(-score)
        return 1 - share, share


class Tweedie(Poisson):
    name = metric = "tweedie"

    def slopes(self, score: Any) -> tuple[Any, Any]:
        rho = self.setup["tweedie_variance_power"]
        one, two = np.exp((1 - rho) * score), np.exp((2 - rho) * score)
        return two - self.y * one, \
            (2 - rho) * two - (1 - rho) * self.y * one


class Binary(Loss):
    name, metric, constant = "binary", "binary_logloss", False

    def check(self) -> None:
        values = np.unique(self.y)
        self.positive = self.y > 0
        if not np.isin(values, (0, 1)).all():
            raise LightGBMError("Binary objective only supports 0 and 1 "
                                "labels")
        some = int(self.positive.sum())
        self.counts = some, len(self.y) - some
        scale = self.setup["scale_pos_weight"]
        if self.setup["is_unbalance"] and scale != 1:
            raise LightGBMError("Cannot set is_unbalance and scale_pos_weight "
                                "at the same time")
        more, less = self.counts
        above, below = scale, 1.0
        if self.setup["is_unbalance"] and more and less:
            above, below = (1.0, more / less) if more > less else \
                (less / more, 1.0)
        each = np.where(self.positive, above, below)
        self.weights = each if self.w is None else each * self.w
        self.w = None

    def start(self) -> Any:
        share = self._share()
        return float(np.log(share / (1 - share)) / self.setup["sigmoid"])

    def _share(self) -> float:
        share = self.weights[self.positive].sum() / self.weights.sum()
        return float(np.clip(share, 1e-15, 1 - 1e-15))

    def slopes(self, score: Any) -> tuple[Any, Any]:
        steep = self.setup["sigmoid"]
        p = sigmoid(steep * score)
        return (steep * (p - self.positive) * self.weights,
                steep * steep * p * (1 - p) * self.weights)

    def result(self, score: Any) -> Any:
        return sigmoid(self.setup["sigmoid"] * score)

    def lines(self) -> list[str]:
        return [f"Number of positive: {self.counts[0]}, number of negative: "
                f"{self.counts[1]}"]

    def start_line(self, start: float) -> str:
        return (f"[binary:BoostFromScore]: pavg={self._share():.6f} -> "
                f"initscore={start:.6f}")


class CrossEntropy(Loss):
    name = metric = "cross_entropy"
    constant = False

    def check(self) -> None:
        if (self.y < 0).any() or (self.y > 1).any():
            raise LightGBMError("[cross_entropy]: label should be in interval "
                                "[0, 1]")

    def start(self) -> Any:
        share = np.clip(np.average(self.y, weights=self.w), 1e-15, 1 - 1e-15)
        return float(np.log(share / (1 - share)))

    def slopes(self, score: Any) -> tuple[Any, Any]:
        p = sigmoid(score)
        return p - self.y, p * (1 - p)

    def result(self, score: Any) -> Any:
        return sigmoid(score)


class Multiclass(Loss):
    name, metric, constant = "multiclass", "multi_logloss", False

    def __init__(self, setup: dict[str, Any]) -> None:
        super().__init__(setup)
        self.width = setup["num_class"]
        if self.width <= 1:
            raise LightGBMError("Number of classes should be specified and "
                                "greater than 1 for multiclass training")

    def check(self) -> None:
        whole = self.y.astype(int)
        if (whole < 0).any() or (whole >= self.width).any():
            wrong = whole[(whole < 0) | (whole >= self.width)][0]
            raise LightGBMError(f"Label must be in [0, {self.width}), but "
                                f"found {wrong} in label")
        self.one = np.zeros((len(whole), self.width))
        self.one[np.arange(len(whole)), whole] = 1

    def start(self) -> Any:
        return np.log(np.maximum(
            np.average(self.one, axis=0, weights=self.w), 1e-15))

    def slopes(self, score: Any) -> tuple[Any, Any]:
        p = softmax(score)
        return p - self.one, self.width / (self.width - 1) * p * (1 - p)

    def result(self, score: Any) -> Any:
        return softmax(score)


class OneVersusAll(Multiclass):
    name = "multiclassova"

    def start(self) -> Any:
        share = np.clip(np.average(self.one, axis=0, weights=self.w), 1e-15,
                        1 - 1e-15)
        return np.log(share / (1 - share)) / self.setup["sigmoid"]

    def slopes(self, score: Any) -> tuple[Any, Any]:
        steep = self.setup["sigmoid"]
        p = sigmoid(steep * score)
        return steep * (p - self.one), steep * steep * p * (1 - p)

    def result(self, score: Any) -> Any:
        return sigmoid(self.setup["sigmoid"] * score)


class LambdaRank(Loss):
    name, metric, constant = "lambdarank", "ndcg", False

    def check(self) -> None:
        if self.groups is None:
            raise LightGBMError("Ranking tasks require query information")
        if (self.y < 0).any() or (self.y != np.floor(self.y)).any():
            raise LightGBMError("label should be int type (met "
                                f"{self.y[self.y != np.floor(self.y)][:1]}) "
                                "for ranking task, for the gain of label, "
                                "please set the label_gain parameter")
        self.gains = gains(self.setup)
        if self.y.max() >= len(self.gains):
            raise LightGBMError(f"Label {int(self.y.max())} is not less than "
                                f"the number of label mappings "
                                f"({len(self.gains)})")

    def start(self) -> Any:
        return 0.0

    def slopes(self, score: Any) -> tuple[Any, Any]:
        first, second = np.zeros(len(score)), np.zeros(len(score))
        ends = np.cumsum(self.groups)
        for begin, end in zip(ends - self.groups, ends):
            rows = slice(begin, end)
            first[rows], second[rows] = self._pairs(self.y[rows], score[rows])
        return first, second

    def _pairs(self, y: Any, score: Any) -> tuple[Any, Any]:
        """The slopes of one query: of the pairs in which one is better."""
        top = self.setup["lambdarank_truncation_level"]
        gain = self.gains[y.astype(int)]
        best = np.sort(gain)[::-1][:top]
        ideal = (best / np.log2(np.arange(len(best)) + 2)).sum()
        if not ideal:
            return np.zeros(len(y)), np.zeros(len(y))
        rank = np.empty(len(y), dtype=int)
        rank[np.argsort(-score, kind="stable")] = np.arange(len(y))
        share = 1 / np.log2(rank + 2)
        better = (y[:, None] > y[None, :]) & \
            (np.minimum(rank[:, None], rank[None, :]) < top)
        away = score[:, None] - score[None, :]
        swap = np.abs((gain[:, None] - gain) * (share[:, None] - share))
        swap /= ideal
        norm = self.setup["lambdarank_norm"]
        if norm and score.max() != score.min():
            swap = swap / (0.01 + np.abs(away))
        steep = self.setup["sigmoid"]
        p = sigmoid(-steep * away)
        push = np.where(better, steep * swap * p, 0)
        curve = np.where(better, steep * steep * swap * p * (1 - p), 0)
        first = push.sum(axis=0) - push.sum(axis=1)
        second = curve.sum(axis=0) + curve.sum(axis=1)
        total = 2 * push.sum()
        if norm and total > 0:
            scale = np.log2(1 + total) / total
            first, second = first * scale, second * scale
        return first, second


def gains(setup: dict[str, Any]) -> Any:
    given = setup["label_gain"]
    if isinstance(given, str):
        given = [float(one) for one in given.split(",")]
    return np.array(given, dtype=float) if given else 2.0 ** np.arange(31) - 1


_LOSSES = {
    Loss: "regression regression_l2 l2 mean_squared_error mse l2_root "
          "root_mean_squared_error rmse",
    L1: "regression_l1 l1 mean_absolute_error mae", Huber: "huber",
    Fair: "fair", Poisson: "poisson", Quantile: "quantile",
    Mape: "mape mean_absolute_percentage_error", Gamma: "gamma",
    Tweedie: "tweedie", Binary: "binary",
    Multiclass: "multiclass softmax",
    OneVersusAll: "multiclassova multiclass_ova ova ovr",
    CrossEntropy: "cross_entropy xentropy", LambdaRank: "lambdarank",
}
_BY_NAME = {name: kind for kind, names in _LOSSES.items()
            for name in names.split()}


def loss_of(setup: dict[str, Any]) -> Any:
    """The loss of the parameters; None if the program has its own."""
    name = setup["objective"]
    if callable(name) or str(name).lower() in ("none", "null", "custom", "na"):
        if name is not None:
            return None
    name = "regression" if name is None else str(name)
    if name in _BY_NAME:
        return _BY_NAME[name](setup)
    if name in ("rank_xendcg", "xendcg", "xe_ndcg", "xe_ndcg_mart",
                "xendcg_mart", "cross_entropy_lambda", "xentlambda"):
        raise NotImplementedError(f"the objective {name} is not here")
    raise LightGBMError(f"Unknown objective type name: {name}")
