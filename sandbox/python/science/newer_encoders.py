"""newer_encoders - scikit-learn's TargetEncoder, which it has since 1.3.

A category becomes the mean of its samples' targets, drawn towards the mean of
all. fit_transform() encodes each part of the samples by the others.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add

import importlib
from typing import Any

_import = importlib.import_module


def _columns(X: Any) -> list[Any]:
    """The columns of a table or of an array, as Series."""
    pandas = _import("pandas")
    frame = X if hasattr(X, "iloc") else pandas.DataFrame(
        _import("numpy").asarray(X, object))
    return [frame.iloc[:, place].astype(object).reset_index(drop=True)
            for place in range(frame.shape[1])]


def _means(column: Any, y: Any, smooth: Any, mean: float) -> Any:
    """The encoding of each category of a column."""
    pandas = _import("pandas")
    groups = pandas.Series(y).groupby(column, dropna=False, sort=False)
    counts, own = groups.count(), groups.mean()
    if smooth != "auto":
        return (groups.sum() + smooth * mean) / (counts + smooth)
    weights = y.var() * counts
    share = weights / (weights + groups.var(ddof=0))
    return (share * own + (1 - share) * mean).fillna(mean)


def _encoded(column: Any, means: Any, mean: float) -> Any:
    known = {("", None) if one != one or one is None else one: value
             for one, value in means.items()}
    return column.map(lambda one: known.get(
        ("", None) if one is None or one != one else one, mean)).astype(float)


def _change_encoders(preprocessing: Any) -> None:
    if hasattr(preprocessing, "TargetEncoder"):
        return
    base, numpy = _import("sklearn.base"), _import("numpy")

    class TargetEncoder(base._OneToOneFeatureMixin if hasattr(
            base, "_OneToOneFeatureMixin") else base.OneToOneFeatureMixin,
            base.TransformerMixin, base.BaseEstimator):
        def __init__(self, categories: Any = "auto",
                     target_type: str = "auto", smooth: Any = "auto",
                     cv: int = 5, shuffle: bool = True,
                     random_state: Any = None) -> None:
            self.categories, self.target_type = categories, target_type
            self.smooth, self.cv = smooth, cv
            self.shuffle, self.random_state = shuffle, random_state

        def _target(self, y: Any) -> Any:
            """The targets as numbers."""
            kind = self.target_type
            if kind == "auto":
                kind = _import("sklearn.utils.multiclass").type_of_target(y)
                kind = "continuous" if kind == "multiclass" and numpy.asarray(
                    y).dtype.kind in "iuf" else kind
            if kind not in ("binary", "continuous"):
                raise ValueError(f"Unknown label type: Target type was "
                                 f"inferred to be {kind!r}. Only ('binary', "
                                 "'continuous') are supported.")
            self.target_type_ = kind
            if kind == "binary":
                self.classes_, y = numpy.unique(y, return_inverse=True)
            return numpy.asarray(y, float)

        def _learn(self, columns: list[Any], y: Any) -> tuple[Any, float]:
            mean = float(y.mean())
            return [_means(column, y, self.smooth, mean)
                    for column in columns], mean

        def fit(self, X: Any, y: Any) -> Any:
            self._check_feature_names(X, reset=True)
            columns = _columns(X)
            self.n_features_in_ = len(columns)
            means, self.target_mean_ = self._learn(columns, self._target(y))
            means = [one.sort_index() if not one.index.hasnans and
                     len({type(name) for name in one.index}) == 1 else one
                     for one in means]
            self.encodings_ = [one.to_numpy() for one in means]
            self.categories_ = [one.index.to_numpy() for one in means]
            self._means = means
            return self

        def transform(self, X: Any) -> Any:
            _import("sklearn.utils.validation").check_is_fitted(self)
            self._check_feature_names(X, reset=False)
            return numpy.column_stack([
                _encoded(column, means, self.target_mean_)
                for column, means in zip(_columns(X), self._means)])

        def fit_transform(self, X: Any, y: Any, **_params: Any) -> Any:
            self.fit(X, y)
            columns, y = _columns(X), self._target(y)
            selection = _import("sklearn.model_selection")
            folds = (selection.KFold if self.target_type_ == "continuous"
                     else selection.StratifiedKFold)(
                self.cv, shuffle=self.shuffle,
                random_state=self.random_state if self.shuffle else None)
            found = numpy.empty((len(y), len(columns)))
            for train, test in folds.split(found, y):
                parts = [one.iloc[train].reset_index(drop=True)
                         for one in columns]
                means, mean = self._learn(parts, y[train])
                for place, one in enumerate(columns):
                    found[test, place] = _encoded(one.iloc[test],
                                                  means[place], mean)
            return found

        def _more_tags(self) -> dict[str, bool]:
            return {"requires_y": True}

    add(preprocessing, TargetEncoder=TargetEncoder)


when_imported({"sklearn.preprocessing": _change_encoders})
