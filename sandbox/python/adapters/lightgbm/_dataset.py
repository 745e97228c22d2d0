"""dataset - tables of features, with labels, weights and groups."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import pandas as pd

from ._bins import Bins
from ._names import LightGBMError, canonical, settings, warn

__all__ = ["Dataset", "Sequence"]
_SPECIAL = frozenset('",:[]{}')


class Sequence:
    """Tables that are read part by part are not here."""

    def __init__(self, *_args: Any, **_options: Any) -> None:
        raise NotImplementedError("lightgbm.Sequence is not here: make one "
                                  "numpy array of the parts")


def _plain_dtype(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "iufb"


def _of_pandas(frame: pd.DataFrame, known: Any) -> tuple[Any, list[Any], Any]:
    """The numbers of FRAME, the names of its columns of categories, and their
    categories; those of KNOWN, if there are some."""
    if frame.ndim != 2 or frame.shape[0] < 1:
        raise ValueError("Input data must be 2 dimensional and non empty.")
    named = [name for name in frame if
             isinstance(frame[name].dtype, pd.CategoricalDtype)]
    bad = [f"{name}: {frame[name].dtype}" for name in frame
           if name not in named and not _plain_dtype(frame[name].dtype)]
    if bad:
        raise ValueError("pandas dtypes must be int, float or bool.\n"
                         "Fields with bad pandas dtypes: " + ", ".join(bad))
    if known is None:
        known = [list(frame[name].cat.categories) for name in named]
    elif len(known) != len(named):
        raise ValueError("train and valid dataset categorical_feature do not "
                         "match.")
    columns, left = [], iter(known)
    for name in frame:
        if name in named:
            codes = frame[name].cat.set_categories(next(left)).cat.codes
            columns.append(np.where(codes < 0, np.nan, codes))
        else:
            columns.append(frame[name].to_numpy(dtype=float,
                                                na_value=np.nan))
    return np.column_stack(columns).astype(float), named, known


def matrix(data: Any, known: Any = None) -> tuple[Any, list[Any], Any]:
    """DATA as numbers, with its columns of categories."""
    if isinstance(data, pd.DataFrame):
        return _of_pandas(data, known)
    if hasattr(data, "toarray"):
        data = data.toarray()
    if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__"):
        raise NotImplementedError("data from a file is not here: read it with "
                                  "pandas.read_csv")
    if isinstance(data, (list, tuple)):
        data = np.asarray(data)
    if not isinstance(data, np.ndarray):
        raise TypeError(f"Cannot initialize Dataset from "
                        f"{type(data).__name__}")
    if data.ndim != 2:
        raise ValueError("Input numpy.ndarray must be 2 dimensional")
    return np.asarray(data, dtype=float), [], known


def vector(values: Any, name: str) -> Any:
    """VALUES as a flat array of numbers."""
    if isinstance(values, pd.DataFrame):
        if values.shape[1] > 1:
            raise ValueError("DataFrame for label cannot have multiple "
                             "columns")
        values = values.iloc[:, 0]
    if isinstance(values, pd.Series) and not _plain_dtype(values.dtype):
        raise ValueError("Series.dtypes must be int, float or bool")
    found = np.asarray(values)
    if found.ndim == 2 and found.shape[1] == 1:
        warn("Converting column-vector to 1d array")
        found = found.ravel()
    if found.ndim != 1:
        raise TypeError(f"Wrong type({type(values).__name__}) for {name}.\n"
                        "It should be list, numpy 1-D array or pandas Series")
    return found.astype(float)


def _named(given: Any, data: Any, count: int) -> list[str]:
    """Names of the features, without spaces."""
    if isinstance(given, str) or given is None:
        given = list(data.columns) if isinstance(data, pd.DataFrame) else \
            [f"Column_{at}" for at in range(count)]
    found = [str(name).replace(" ", "_") for name in given]
    if len(found) != count:
        raise ValueError(f"Length of feature_name({len(found)}) and "
                         f"num_feature({count}) don't match")
    if any(_SPECIAL & set(name) for name in found):
        raise LightGBMError("Do not support special JSON characters in "
                            "feature name.")
    twice = sorted({name for name in found if found.count(name) > 1})
    if twice:
        raise LightGBMError(f"Feature ({twice[0]}) appears more than one "
                            "time.")
    return found


class Dataset:
    """A table to train with, or to compare with."""

    def __init__(self, data: Any, label: Any = None,
                 reference: Optional["Dataset"] = None, weight: Any = None,
                 group: Any = None, init_score: Any = None,
                 feature_name: Any = "auto", categorical_feature: Any = "auto",
                 params: Optional[dict[str, Any]] = None,
                 free_raw_data: bool = True, position: Any = None) -> None:
        if position is not None:
            raise NotImplementedError("Dataset(position=...) is not here")
        self.data, self.label, self.reference = data, label, reference
        self.weight, self.group = weight, group
        self.init_score = init_score
        self.feature_name = feature_name
        self.categorical_feature = categorical_feature
        self.params = dict(params or {})
        self.free_raw_data = free_raw_data
        self.used_indices: Any = None
        self.pandas_categorical: Any = None
        self.version = 0
        self.binned: Any = None

    # -- the table as numbers

    def construct(self) -> "Dataset":
        if self.binned is not None:
            return self
        if self.reference is not None:
            self.reference.construct()
        whole = self.reference
        known = whole.pandas_categorical if whole else None
        self.raw, named, self.pandas_categorical = matrix(self.data, known)
        if whole:
            self._as(whole)
        else:
            self._learn(named)
        self.binned = self.bins.apply(self.raw)
        self._check_fields()
        return self

    def _as(self, whole: "Dataset") -> None:
        if self.raw.shape[1] != whole.raw.shape[1]:
            raise LightGBMError(
                "Cannot add validation data, since it has different bin "
                "mappers with training data")
        self.bins, self.names = whole.bins, whole.names

    def _learn(self, named: list[Any]) -> None:
        count = self.raw.shape[1]
        self.names = _named(self.feature_name, self.data, count)
        setup = settings({"verbosity": -1, **{
            name: value for name, value in self.params.items()
            if canonical(name) in ("max_bin", "min_data_in_bin",
                                   "categorical_feature")}})
        given = self.categorical_feature
        if given == "auto" or given is None:
            given = setup["categorical_feature"]
        if given is None:
            given = named
        elif isinstance(given, str):
            given = given.replace("name:", "").split(",")
        places = {self._place(one) for one in [*given]}
        self.bins = Bins(self.raw, places, setup["max_bin"],
                         setup["min_data_in_bin"])

    def _place(self, one: Any) -> int:
        """The number of a feature that has categories."""
        if isinstance(one, str) and one.isdigit() and one not in self.names:
            one = int(one)
        if isinstance(one, (int, np.integer)) and not isinstance(one, bool):
            if isinstance(self.data, pd.DataFrame) and \
                    one in list(self.data.columns):
                return list(self.data.columns).index(one)
            if one < len(self.names):
                return int(one)
            raise LightGBMError(f"categorical_feature {one} is no feature")
        name = str(one).replace(" ", "_")
        if name not in self.names:
            raise TypeError(f"Wrong type({type(one).__name__}) or unknown "
                            f"name({one}) in categorical_feature")
        return self.names.index(name)

    def _check_fields(self) -> None:
        rows = len(self.raw)
        if self.label is None:
            self.y = np.zeros(rows)
        else:
            self.y = vector(self.label, "label")
        self.w = None if self.weight is None else \
            vector(self.weight, "weight")
        self.groups = None if self.group is None else \
            vector(self.group, "group").astype(int)
        if len(self.y) != rows:
            raise LightGBMError(
                "Length of labels differs from the length of #data")
        if not np.isfinite(self.y).all():
            raise LightGBMError("NaN or Inf in label")
        if self.w is not None and len(self.w) != rows:
            raise LightGBMError(
                "Length of weights differs from the length of #data")
        if self.w is not None and (self.w < 0).any():
            raise LightGBMError("Weights should be non-negative")
        if self.groups is not None and self.groups.sum() != rows:
            raise LightGBMError("Sum of query counts differs from the length "
                                "of #data")

    # -- others of the same kind

    def create_valid(self, data: Any, label: Any = None, weight: Any = None,
                     group: Any = None, init_score: Any = None,
                     params: Any = None, position: Any = None) -> "Dataset":
        return Dataset(data, label, self, weight, group, init_score,
                       params=params, free_raw_data=self.free_raw_data,
                       position=position)

    def subset(self, used_indices: Any, params: Any = None) -> "Dataset":
        """Some rows, with this table's bins."""
        self.construct()
        rows = np.asarray(sorted(used_indices), dtype=int)
        found = Dataset(self.raw[rows], self.y[rows], self,
                        params=params or self.params)
        found.w = None if self.w is None else self.w[rows]
        found.weight, found.y = found.w, self.y[rows]
        if self.init_score is not None:
            found.init_score = np.asarray(self.init_score)[rows]
        found.groups = None
        if self.groups is not None:
            owner = np.repeat(np.arange(len(self.groups)), self.groups)[rows]
            found.groups = np.unique(owner, return_counts=True)[1]
            found.group = found.groups
        found.raw, found.binned = found.data, np.asfortranarray(
            self.binned[rows])
        found.bins, found.names = self.bins, self.names
        found.pandas_categorical = self.pandas_categorical
        found.used_indices = rows
        return found

    # -- fields

    def _set(self, name: str, value: Any) -> "Dataset":
        setattr(self, name, value)
        if self.binned is not None:
            self._check_fields()
        return self

    def set_label(self, label: Any) -> "Dataset":
        return self._set("label", label)

    def set_weight(self, weight: Any) -> "Dataset":
        return self._set("weight", weight)

    def set_group(self, group: Any) -> "Dataset":
        return self._set("group", group)

    def set_init_score(self, init_score: Any) -> "Dataset":
        return self._set("init_score", init_score)

    def set_reference(self, reference: "Dataset") -> "Dataset":
        if self.binned is not None and reference is not self.reference:
            if getattr(self, "bins", None) is not \
                    reference.construct().bins:
                self.binned = None
        self.reference = None if reference is self else reference
        return self

    def set_categorical_feature(self, categorical_feature: Any) -> "Dataset":
        if self.binned is not None and \
                self.categorical_feature != categorical_feature:
            self.binned = None
        self.categorical_feature = categorical_feature
        return self

    def set_feature_name(self, feature_name: Any) -> "Dataset":
        self.feature_name = feature_name
        if self.binned is not None:
            self.names = _named(feature_name, self.data, self.raw.shape[1])
        return self

    def get_label(self) -> Any:
        return None if self.label is None else \
            vector(self.label, "label").astype(np.float32)

    def get_weight(self) -> Any:
        return None if self.weight is None else \
            vector(self.weight, "weight").astype(np.float32)

    def get_group(self) -> Any:
        return None if self.group is None else \
            vector(self.group, "group").astype(np.int32)

    def get_init_score(self) -> Any:
        return self.init_score

    def get_data(self) -> Any:
        return self.data

    def get_params(self) -> dict[str, Any]:
        return dict(self.params)

    def get_feature_name(self) -> list[str]:
        return list(self.construct().names)

    def get_field(self, field_name: str) -> Any:
        found = {"label": self.get_label, "weight": self.get_weight,
                 "group": self.get_group,
                 "init_score": self.get_init_score}.get(field_name)
        if found is None:
            raise LightGBMError(f"Unknown field name: {field_name}")
        return found()

    def num_data(self) -> int:
        return len(self.construct().raw) if self.binned is not None else \
            self._unmade().shape[0]

    def num_feature(self) -> int:
        return self.construct().raw.shape[1] if self.binned is not None else \
            self._unmade().shape[1]

    def _unmade(self) -> Any:
        raise LightGBMError("Cannot get num_data or num_feature before "
                            "construct dataset")

    def feature_num_bin(self, feature: Any) -> int:
        at = self.names.index(feature) if isinstance(feature, str) else feature
        return int(self.bins.counts[at])

    def save_binary(self, filename: Any) -> "Dataset":
        raise NotImplementedError("Dataset.save_binary() is not here: keep "
                                  "the table with pandas")

    def add_features_from(self, other: "Dataset") -> "Dataset":
        raise NotImplementedError("Dataset.add_features_from() is not here: "
                                  "use numpy.hstack")
