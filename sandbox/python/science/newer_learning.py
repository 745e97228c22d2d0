"""newer_learning - newer words of scikit-learn's models and xgboost.

As newer_science.py: programs are written for scikit-learn 1.5, where linear
machines choose between the primal and the dual problem and boosted trees know
categories by their type, and for xgboost 2. Trees of xgboost 2 take categories
by default. Debian 12 has 1.2 and 1.7.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, lacks, replace
from .newer_science import leave_out

import importlib
import re
import warnings
from typing import Any

_import = importlib.import_module


def _is_dual(machine: Any, X: Any) -> bool:
    """dual="auto": the dual problem if samples are fewer than features and
    the solver has it, or if it has no other."""
    shape = getattr(X, "shape", None) or _import("numpy").shape(X)
    fewer = bool(shape[0] < shape[1])
    try:
        _import("sklearn.svm._base")._get_liblinear_solver_type(
            getattr(machine, "multi_class", "ovr"),
            getattr(machine, "penalty", "l2"), machine.loss, fewer)
    except ValueError:
        return not fewer
    return fewer


def _choose_dual(kind: Any) -> None:
    """dual="auto", of 1.3, in a class of scikit-learn's."""
    if "auto" in repr(kind._parameter_constraints.get("dual")):
        return
    plain = kind.fit

    def fit(self: Any, X: Any, y: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(self.dual, str) or self.dual != "auto":
            return plain(self, X, y, *args, **options)
        self.dual = _is_dual(self, X)
        try:
            return plain(self, X, y, *args, **options)
        finally:
            self.dual = "auto"

    replace(kind, "fit", fit)


def _change_machines(module: Any) -> None:
    _choose_dual(module.LinearSVC)
    _choose_dual(module.LinearSVR)


def _change_xgboost(module: Any) -> None:
    """The method of 2.0's trees, if categories need it and none is named."""
    if not lacks(module.XGBModel.__init__, "device"):
        return
    plain = module.XGBModel._configure_fit

    def _configure_fit(self: Any, booster: Any, eval_metric: Any, params: Any,
                       *args: Any, **options: Any) -> Any:
        if self.enable_categorical and not params.get("tree_method"):
            params = {**params, "tree_method": "hist"}
        return plain(self, booster, eval_metric, params, *args, **options)

    replace(module.XGBModel, "_configure_fit", _configure_fit)


def _change_boosters(core: Any) -> None:
    """device= and multi_strategy=, of 2.0: the processor and a tree for each
    output, which 1.7 uses and has no words for."""
    sklearn = _import("xgboost.sklearn")
    if not lacks(sklearn.XGBModel.__init__, "device"):
        return
    plain = core.Booster.set_param

    def set_param(self: Any, params: Any, value: Any = None) -> None:
        if isinstance(params, str):
            params = {params: value}
        items = params.items() if hasattr(params, "items") else params
        plain(self, [(name, one) for name, one in items
                     if name not in ("device", "multi_strategy")])

    replace(core.Booster, "set_param", set_param)


# -- boosted trees

_BY_TYPE = "from_dtype"


def _coded(model: Any, X: Any, learn: bool) -> Any:
    """A table with numbers for categories, which are those of the fit. Others
    count as missing."""
    pandas = _import("pandas")
    if learn:
        model._categories = {
            name: X[name].cat.categories for name in X
            if isinstance(X[name].dtype, pandas.CategoricalDtype)}
    codes = {}
    for name, known in model._categories.items():
        found = pandas.Categorical(X[name], categories=known).codes
        codes[name] = pandas.Series(found, X.index, dtype=float).where(
            found >= 0)
    return X.assign(**codes)


def _change_boosting(module: Any) -> None:
    """categorical_features="from_dtype", of 1.4."""
    kind = module.BaseHistGradientBoosting
    allowed = kind._parameter_constraints["categorical_features"]
    if _BY_TYPE in repr(list(map(str, allowed))):
        return
    allowed.append(_import("sklearn.utils._param_validation").StrOptions(
        {_BY_TYPE}))
    validate, check = kind._validate_data, kind._check_categories

    def _by_type(self: Any) -> bool:
        return isinstance(self.categorical_features, str)

    def _validate_data(self: Any, X: Any = "no_validation", *args: Any,
                       **options: Any) -> Any:
        if _by_type(self):
            learn = options.get("reset", True)
            if hasattr(X, "iloc"):
                X = _coded(self, X, learn)
            elif learn:
                self._categories = {}
        return validate(self, X, *args, **options)

    def _check_categories(self: Any, X: Any) -> Any:
        if not _by_type(self):
            return check(self, X)
        self.categorical_features = list(self._categories) or None
        try:
            return check(self, X)
        finally:
            self.categorical_features = _BY_TYPE

    replace(kind, "_validate_data", _validate_data)
    replace(kind, "_check_categories", _check_categories)


# -- trees in text, selections, curves

def _change_texts(tree: Any) -> None:
    """export_text()'s class_names=, of 1.3."""
    plain = tree.export_text
    if not lacks(plain, "class_names"):
        return

    def export_text(decision_tree: Any, *args: Any, class_names: Any = None,
                    **options: Any) -> Any:
        found = plain(decision_tree, *args, **options)
        if class_names is None or not hasattr(decision_tree, "classes_"):
            return found
        names = {str(one): str(name) for one, name in
                 zip(decision_tree.classes_, class_names)}
        return re.sub("class: (.+)", lambda match: "class: " + names.get(
            match[1], match[1]), found)

    replace(tree, "export_text", export_text)


def _change_inspection(inspection: Any) -> None:
    """grid_values, of 1.3, in the place of values."""
    plain = inspection.partial_dependence

    def partial_dependence(*args: Any, **options: Any) -> Any:
        found = plain(*args, **options)
        if "grid_values" not in found and "values" in found:
            found["grid_values"] = found["values"]
        return found

    replace(inspection, "partial_dependence", partial_dependence)


def _change_selection(module: Any) -> None:
    for name in ("mutual_info_classif", "mutual_info_regression"):
        leave_out(module, name, "n_jobs")


def _change_isolation(module: Any) -> None:
    """fit() of a table says nothing of its names, as of 1.3: it warned that
    its own rows, as an array, have none."""
    forest = module.IsolationForest
    plain = forest.fit

    def fit(self: Any, X: Any, y: Any = None,
            sample_weight: Any = None) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature")
            return plain(self, X, y, sample_weight)

    if not hasattr(forest, "_score_samples"):
        replace(forest, "fit", fit)


def _change_composition(module: Any) -> None:
    for place, name in ((module, "make_column_transformer"),
                        (module.ColumnTransformer, "__init__")):
        leave_out(place, name, "force_int_remainder_cols")


_DRAWN = ("ax", "negate_score", "score_name", "score_type",
          "std_display_style", "line_kw", "fill_between_kw", "errorbar_kw")


def _add_curve(selection: Any) -> None:
    """ValidationCurveDisplay, of 1.3, by the display of another curve."""
    if hasattr(selection, "ValidationCurveDisplay"):
        return

    class ValidationCurveDisplay:
        def __init__(self, *, param_name: str, param_range: Any,
                     train_scores: Any, test_scores: Any,
                     score_name: Any = None) -> None:
            self.param_name, self.param_range = param_name, param_range
            self.train_scores, self.test_scores = train_scores, test_scores
            self.score_name = score_name

        def plot(self, ax: Any = None, **options: Any) -> Any:
            options = {"score_type": "both", **options}
            found = selection.LearningCurveDisplay(
                train_sizes=self.param_range, train_scores=self.train_scores,
                test_scores=self.test_scores, score_name=self.score_name
            ).plot(ax=ax, **options)
            self.ax_, self.figure_ = found.ax_, found.figure_
            self.lines_, self.errorbar_ = found.lines_, found.errorbar_
            self.fill_between_ = found.fill_between_
            self.ax_.set_xlabel(self.param_name)
            low, high = min(self.param_range), max(self.param_range)
            if low > 0 and high / low > 5:
                self.ax_.set_xscale("log")
            return self

        @classmethod
        def from_estimator(cls, estimator: Any, X: Any, y: Any, *,
                           param_name: str, param_range: Any,
                           **options: Any) -> Any:
            drawn = {name: options.pop(name) for name in _DRAWN
                     if name in options}
            train, test = selection.validation_curve(
                estimator, X, y, param_name=param_name,
                param_range=param_range, **options)
            return cls(param_name=param_name, param_range=param_range,
                       train_scores=train, test_scores=test,
                       score_name=drawn.get("score_name")).plot(**drawn)

    add(selection, ValidationCurveDisplay=ValidationCurveDisplay)


when_imported({
    "sklearn.compose": _change_composition,
    "sklearn.ensemble._iforest": _change_isolation,
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting":
        _change_boosting,
    "sklearn.feature_selection": _change_selection,
    "sklearn.inspection": _change_inspection,
    "sklearn.model_selection": _add_curve,
    "sklearn.tree": _change_texts,
    "xgboost": lambda module: _change_boosters(module.core),
    "sklearn.svm._classes": _change_machines,
    "xgboost.sklearn": _change_xgboost,
})
