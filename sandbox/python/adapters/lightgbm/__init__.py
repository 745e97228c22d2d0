"""lightgbm - gradient boosting of trees that grow leaf by leaf.

train(), cv(), Dataset, Booster, callbacks, the estimators and two pictures. The
trees are scikit-learn's, which grow by the same rules; the rounds, losses and
metrics are of this module. A model is of the same kind as the library's own and
not the same number by number.
"""

from __future__ import annotations

from typing import Any

from .basic import Booster, Dataset, Sequence, register_logger
from .callback import (EarlyStopException, early_stopping, log_evaluation,
                       record_evaluation, reset_parameter)
from .engine import CVBooster, cv, train
from .plotting import plot_importance, plot_metric
from .sklearn import LGBMClassifier, LGBMModel, LGBMRanker, LGBMRegressor

__version__ = "4.5.0"
__all__ = ["Dataset", "Booster", "CVBooster", "Sequence", "register_logger",
           "train", "cv", "LGBMModel", "LGBMRegressor", "LGBMClassifier",
           "LGBMRanker", "log_evaluation", "record_evaluation",
           "reset_parameter", "early_stopping", "EarlyStopException",
           "plot_importance", "plot_metric"]
_ABSENT = frozenset(
    "DaskLGBMClassifier DaskLGBMRegressor DaskLGBMRanker plot_tree "
    "create_tree_digraph plot_split_value_histogram".split())


def __getattr__(name: str) -> Any:
    if name in _ABSENT:
        raise AttributeError(
            f"lightgbm.{name} is not here; the estimators, train(), cv(), "
            "plot_importance() and plot_metric() are")
    raise AttributeError(f"module 'lightgbm' has no attribute '{name}'")
