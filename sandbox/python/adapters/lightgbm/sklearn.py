"""sklearn - the estimators."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from ._names import canonical, taken
from ._scores import _NAMES as METRICS
from .basic import Booster, Dataset, LightGBMError, log_warning
from .callback import record_evaluation
from .engine import train

__all__ = ["LGBMClassifier", "LGBMModel", "LGBMRanker", "LGBMRegressor"]


class LGBMNotFittedError(NotFittedError):
    """A model that has not been fitted."""


_UNFITTED = {
    "best_score_": "No best_score found. Need to call fit beforehand.",
    "best_iteration_": "No best_iteration found. Need to call fit with "
                       "early_stopping callback beforehand.",
    "objective_": "No objective found. Need to call fit beforehand.",
    "n_estimators_": "No n_estimators found. Need to call fit beforehand.",
    "n_iter_": "No n_iter found. Need to call fit beforehand.",
    "booster_": "No booster found. Need to call fit beforehand.",
    "evals_result_": "No results found. Need to call fit with eval_set "
                     "beforehand.",
    "feature_importances_": "No feature_importances found. Need to call fit "
                            "beforehand.",
    "feature_name_": "No feature_name found. Need to call fit beforehand.",
    "feature_names_in_": "No feature_names_in_ found. Need to call fit "
                         "beforehand.",
    "n_features_": "No n_features found. Need to call fit beforehand.",
    "n_features_in_": "No n_features_in found. Need to call fit beforehand.",
    "classes_": "No classes found. Need to call fit beforehand.",
    "n_classes_": "No classes found. Need to call fit beforehand.",
}


def _result(name: str, get: Any) -> property:
    """An attribute that a fitted model has."""
    def read(self: Any) -> Any:
        if not self.__sklearn_is_fitted__():
            raise LGBMNotFittedError(_UNFITTED[name])
        return get(self)
    return property(read)


def _own_objective(function: Any) -> Any:
    """A program's function of labels and scores, as train() calls it."""
    import inspect

    count = len(inspect.signature(function).parameters)

    def call(score: Any, data: Dataset) -> Any:
        more = (data.get_weight(), data.get_group())
        return function(data.y, score, *more[:count - 2])
    return call


def _own_metric(function: Any) -> Any:
    import inspect

    count = len(inspect.signature(function).parameters)

    def call(result: Any, data: Dataset) -> Any:
        more = (data.get_weight(), data.get_group())
        return function(data.y, result, *more[:count - 2])
    return call


def _item(values: Any, at: int, name: str) -> Any:
    """The AT-th of values that are a list or a dictionary."""
    if values is None:
        return None
    if isinstance(values, dict):
        return values.get(at)
    if isinstance(values, list):
        return values[at] if at < len(values) else None
    raise TypeError(f"{name} should be dict or list")


class LGBMModel(BaseEstimator):
    """What the estimators have in common."""

    _default_metric = ""

    def __init__(self, boosting_type: str = "gbdt", num_leaves: int = 31,
                 max_depth: int = -1, learning_rate: float = 0.1,
                 n_estimators: int = 100, subsample_for_bin: int = 200000,
                 objective: Any = None, class_weight: Any = None,
                 min_split_gain: float = 0.0, min_child_weight: float = 1e-3,
                 min_child_samples: int = 20, subsample: float = 1.0,
                 subsample_freq: int = 0, colsample_bytree: float = 1.0,
                 reg_alpha: float = 0.0, reg_lambda: float = 0.0,
                 random_state: Any = None, n_jobs: Optional[int] = None,
                 importance_type: str = "split", **kwargs: Any) -> None:
        self.boosting_type, self.objective = boosting_type, objective
        self.num_leaves, self.max_depth = num_leaves, max_depth
        self.learning_rate, self.n_estimators = learning_rate, n_estimators
        self.subsample_for_bin = subsample_for_bin
        self.min_split_gain = min_split_gain
        self.min_child_weight = min_child_weight
        self.min_child_samples = min_child_samples
        self.subsample, self.subsample_freq = subsample, subsample_freq
        self.colsample_bytree = colsample_bytree
        self.reg_alpha, self.reg_lambda = reg_alpha, reg_lambda
        self.random_state, self.n_jobs = random_state, n_jobs
        self.importance_type = importance_type
        self.class_weight = class_weight
        self._Booster: Any = None
        self._evals_result: Any = {}
        self._other_params: dict[str, Any] = {}
        self._classes: Any = None
        self.set_params(**kwargs)

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """The names of the base's parameters: the estimators take those."""
        import inspect

        return sorted(name for name, one in inspect.signature(
            LGBMModel.__init__).parameters.items()
            if name != "self" and one.kind != one.VAR_KEYWORD)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {**super().get_params(deep=deep), **self._other_params}

    def set_params(self, **params: Any) -> "LGBMModel":
        known = self._get_param_names()
        for name, value in params.items():
            setattr(self, name, value)
            if name not in known:
                self._other_params[name] = value
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return self.__dict__.get("_Booster") is not None

    def _default_objective(self) -> str:
        raise ValueError("Unknown LGBMModel type.")

    # -- training

    def _params(self) -> dict[str, Any]:
        """The parameters that train() takes."""
        params = self.get_params()
        for name in ("importance_type", "class_weight", "n_estimators"):
            params.pop(name, None)
        others = self._other_params
        for name in list(params):
            if name in others:
                continue
            main = canonical(name if name != "boosting_type" else "boosting")
            if any(canonical(one) == main for one in others):
                params.pop(name)
        params["num_iterations"] = taken(
            params, "num_iterations", self.n_estimators, quiet=True)
        chance = params.get("random_state")
        if isinstance(chance, (np.random.RandomState,)):
            params["random_state"] = chance.randint(np.iinfo(np.int32).max)
        elif isinstance(chance, np.random.Generator):
            params["random_state"] = int(chance.integers(
                np.iinfo(np.int32).max))
        if all(canonical(name) != "objective" for name in others):
            params["objective"] = self._objective_of(self.objective)
        return params

    def _objective_of(self, given: Any) -> Any:
        self._objective = given or self._default_objective()
        return _own_objective(given) if callable(given) else self._objective

    def _metric(self, params: dict[str, Any], eval_metric: Any) -> list[Any]:
        """Give PARAMS the metrics; returns those that are functions."""
        every = eval_metric if isinstance(eval_metric, list) else \
            [] if eval_metric is None else [eval_metric]
        own = [_own_metric(one) for one in every if callable(one)]
        names = [one for one in every if isinstance(one, str)]
        given = taken(params, "metric", None, quiet=True)
        given = given.split(",") if isinstance(given, str) else \
            list(given or ())
        if not given:
            kind = params.get("objective")
            given = [self._default_metric if callable(kind) else
                     METRICS.get(kind, kind)] if kind else []
        params["metric"] = names + [one for one in given if one not in names]
        return own

    def _weights(self, y: Any, given: Any, class_weight: Any) -> Any:
        if class_weight is None:
            return given
        found = compute_sample_weight(class_weight, y)
        return found if given is None else found * np.asarray(given)

    def _labels(self, y: Any) -> Any:
        return y

    def fit(self, X: Any, y: Any, sample_weight: Any = None,
            init_score: Any = None, group: Any = None, eval_set: Any = None,
            eval_names: Any = None, eval_sample_weight: Any = None,
            eval_class_weight: Any = None, eval_init_score: Any = None,
            eval_group: Any = None, eval_metric: Any = None,
            feature_name: Any = "auto", categorical_feature: Any = "auto",
            callbacks: Any = None, init_model: Any = None) -> "LGBMModel":
        params = self._params()
        own = self._metric(params, eval_metric)
        y = _flat(y)
        _check_lengths(X, y)
        data = Dataset(X, self._labels(y),
                       weight=self._weights(y, sample_weight,
                                            self.class_weight),
                       group=group, init_score=init_score,
                       feature_name=feature_name,
                       categorical_feature=categorical_feature, params=params)
        sets = self._eval_sets(
            data, X, y, eval_set, eval_sample_weight, eval_class_weight,
            eval_init_score, eval_group)
        self._evals_result = {}
        callbacks = [*(callbacks or ()),
                     record_evaluation(self._evals_result)]
        if isinstance(init_model, LGBMModel):
            init_model = init_model.booster_
        rounds = params.pop("num_iterations")
        self._Booster = train(
            params, data, rounds, sets, eval_names,
            feval=own or None, init_model=init_model, callbacks=callbacks)
        self._note(X, data)
        return self

    def _note(self, X: Any, data: Dataset) -> None:
        """Attributes of a fitted model."""
        self._best_score = self._Booster.best_score
        self._n_features = data.raw.shape[1]
        self.fitted_ = True

    def _eval_sets(self, data: Dataset, X: Any, y: Any, eval_set: Any,
                   weights: Any, classes: Any, scores: Any,
                   groups: Any) -> Any:
        if eval_set is None:
            return None
        if isinstance(eval_set, tuple):
            eval_set = [eval_set]
        found = []
        for at, (table, labels) in enumerate(eval_set):
            labels_now = _flat(labels)
            if table is X and labels_now is y or \
                    table is X and labels is y:
                found.append(data)
                continue
            found.append(Dataset(
                table, self._labels(labels_now), data,
                self._weights(labels_now,
                              _item(weights, at, "eval_sample_weight"),
                              _item(classes, at, "eval_class_weight")),
                _item(groups, at, "eval_group"),
                _item(scores, at, "eval_init_score")))
        return found

    # -- results

    def predict(self, X: Any, raw_score: bool = False,
                start_iteration: int = 0, num_iteration: Optional[int] = None,
                pred_leaf: bool = False, pred_contrib: bool = False,
                validate_features: bool = False, **kwargs: Any) -> Any:
        if not self.__sklearn_is_fitted__():
            raise LGBMNotFittedError("Estimator not fitted, call fit before "
                                     "exploiting the model.")
        shape = getattr(X, "shape", None) or np.shape(X)
        if len(shape) == 2 and shape[1] != self._n_features:
            raise ValueError(
                "Number of features of the model must match the input. Model "
                f"n_features_ is {self._n_features} and input n_features is "
                f"{shape[1]}")
        kwargs = {name: value for name, value in kwargs.items()
                  if canonical(name) != "num_threads"}
        return self._Booster.predict(
            X, start_iteration, num_iteration, raw_score, pred_leaf,
            pred_contrib, validate_features=validate_features, **kwargs)

    best_score_ = _result("best_score_", lambda self: self._best_score)
    best_iteration_ = _result("best_iteration_",
                              lambda self: self._Booster.best_iteration)
    objective_ = _result("objective_", lambda self: self._objective)
    n_estimators_ = _result("n_estimators_",
                            lambda self: self._Booster.current_iteration())
    n_iter_ = _result("n_iter_",
                      lambda self: self._Booster.current_iteration())
    booster_ = _result("booster_", lambda self: self._Booster)
    evals_result_ = _result("evals_result_", lambda self: self._evals_result)
    feature_importances_ = _result(
        "feature_importances_", lambda self: self._Booster.feature_importance(
            self.importance_type))
    feature_name_ = _result("feature_name_",
                            lambda self: self._Booster.feature_name())
    feature_names_in_ = _result(
        "feature_names_in_",
        lambda self: np.array(self._Booster.feature_name()))
    n_features_ = _result("n_features_", lambda self: self._n_features)
    n_features_in_ = _result("n_features_in_", lambda self: self._n_features)


def _check_lengths(X: Any, y: Any) -> None:
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows != len(y):
        raise ValueError("Found input variables with inconsistent numbers of "
                         f"samples: {[rows, len(y)]}")


def _flat(y: Any) -> Any:
    """Labels as they were given, but flat."""
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        return y.iloc[:, 0]
    if isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] == 1:
        log_warning("A column-vector y was passed when a 1d array was "
                    "expected. Please change the shape of y to (n_samples, ), "
                    "for example using ravel().")
        return y.ravel()
    return y


class LGBMRegressor(RegressorMixin, LGBMModel):
    """Numbers."""

    _default_metric = "l2"

    def _default_objective(self) -> str:
        return "regression"

    def fit(self, X: Any, y: Any, sample_weight: Any = None,
            init_score: Any = None, eval_set: Any = None,
            eval_names: Any = None, eval_sample_weight: Any = None,
            eval_init_score: Any = None, eval_metric: Any = None,
            feature_name: Any = "auto", categorical_feature: Any = "auto",
            callbacks: Any = None, init_model: Any = None) -> "LGBMRegressor":
        super().fit(X, y, sample_weight, init_score, None, eval_set,
                    eval_names, eval_sample_weight, None, eval_init_score,
                    None, eval_metric, feature_name, categorical_feature,
                    callbacks, init_model)
        return self


class LGBMClassifier(ClassifierMixin, LGBMModel):
    """Classes."""

    def _default_objective(self) -> str:
        return "multiclass" if self._n_classes > 2 else "binary"

    def _objective_of(self, given: Any) -> Any:
        many = self._n_classes > 2
        if isinstance(given, str) and many and given not in (
                "multiclass", "softmax", "multiclassova", "multiclass_ova",
                "ova", "ovr"):
            given = "multiclass"
        return super()._objective_of(given)

    def _params(self) -> dict[str, Any]:
        params = super()._params()
        if self._n_classes > 2:
            taken(params, "num_class", None, quiet=True)
            params["num_class"] = self._n_classes
        return params

    @property
    def _default_metric(self) -> str:
        return "multi_logloss" if self._n_classes > 2 else "binary_logloss"

    def _metric(self, params: dict[str, Any], eval_metric: Any) -> list[Any]:
        renamed = {"logloss": ("binary_logloss", "multi_logloss"),
                   "error": ("binary_error", "multi_error"),
                   "binary_logloss": ("binary_logloss", "multi_logloss"),
                   "binary_error": ("binary_error", "multi_error"),
                   "multi_logloss": ("binary_logloss", "multi_logloss"),
                   "multi_error": ("binary_error", "multi_error")}
        every = eval_metric if isinstance(eval_metric, list) else \
            [] if eval_metric is None else [eval_metric]
        every = [renamed[one][self._n_classes > 2] if isinstance(one, str) and
                 one in renamed else one for one in every]
        return super()._metric(params, every or None)

    def _labels(self, y: Any) -> Any:
        return self._encoder.transform(np.asarray(y))

    def fit(self, X: Any, y: Any, sample_weight: Any = None,
            init_score: Any = None, eval_set: Any = None,
            eval_names: Any = None, eval_sample_weight: Any = None,
            eval_class_weight: Any = None, eval_init_score: Any = None,
            eval_metric: Any = None, feature_name: Any = "auto",
            categorical_feature: Any = "auto", callbacks: Any = None,
            init_model: Any = None) -> "LGBMClassifier":
        check_classification_targets(_flat(y))
        self._encoder = LabelEncoder().fit(np.asarray(_flat(y)))
        self._classes = self._encoder.classes_
        self._n_classes = len(self._classes)
        super().fit(X, y, sample_weight, init_score, None, eval_set,
                    eval_names, eval_sample_weight, eval_class_weight,
                    eval_init_score, None, eval_metric, feature_name,
                    categorical_feature, callbacks, init_model)
        return self

    def predict(self, X: Any, raw_score: bool = False,
                start_iteration: int = 0, num_iteration: Optional[int] = None,
                pred_leaf: bool = False, pred_contrib: bool = False,
                validate_features: bool = False, **kwargs: Any) -> Any:
        found = self.predict_proba(
            X, raw_score, start_iteration, num_iteration, pred_leaf,
            pred_contrib, validate_features, **kwargs)
        if callable(self._objective) or raw_score or pred_leaf or \
                pred_contrib:
            return found
        return self._encoder.inverse_transform(np.argmax(found, axis=1))

    def predict_proba(self, X: Any, raw_score: bool = False,
                      start_iteration: int = 0,
                      num_iteration: Optional[int] = None,
                      pred_leaf: bool = False, pred_contrib: bool = False,
                      validate_features: bool = False, **kwargs: Any) -> Any:
        found = super().predict(X, raw_score, start_iteration, num_iteration,
                                pred_leaf, pred_contrib, validate_features,
                                **kwargs)
        if callable(self._objective) and not (raw_score or pred_leaf):
            log_warning("Cannot compute class probabilities or labels due to "
                        "the usage of customized objective function.\n"
                        "Returning raw scores instead.")
            return found
        if self._n_classes > 2 or raw_score or pred_leaf or pred_contrib:
            return found
        return np.column_stack([1.0 - found, found])

    classes_ = _result("classes_", lambda self: self._classes)
    n_classes_ = _result("n_classes_", lambda self: self._n_classes)


class LGBMRanker(LGBMModel):
    """Orders within groups."""

    _default_metric = "ndcg"

    def _default_objective(self) -> str:
        return "lambdarank"

    def fit(self, X: Any, y: Any, sample_weight: Any = None,
            init_score: Any = None, group: Any = None, eval_set: Any = None,
            eval_names: Any = None, eval_sample_weight: Any = None,
            eval_init_score: Any = None, eval_group: Any = None,
            eval_metric: Any = None, eval_at: Any = (1, 2, 3, 4, 5),
            feature_name: Any = "auto", categorical_feature: Any = "auto",
            callbacks: Any = None, init_model: Any = None) -> "LGBMRanker":
        if group is None:
            raise ValueError("Should set group for ranking task")
        if eval_set is not None and eval_group is None:
            raise ValueError("Eval_group cannot be None when eval_set is not "
                             "None")
        self._eval_at = list(eval_at)
        super().fit(X, y, sample_weight, init_score, group, eval_set,
                    eval_names, eval_sample_weight, None, eval_init_score,
                    eval_group, eval_metric, feature_name,
                    categorical_feature, callbacks, init_model)
        return self

    def _params(self) -> dict[str, Any]:
        return {"eval_at": self._eval_at, **super()._params()}
