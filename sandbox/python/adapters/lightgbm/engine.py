"""engine - train() and cv()."""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any, Callable, Iterable, Optional

import numpy as np

from . import callback
from ._names import canonical, taken
from .basic import Booster, Dataset

__all__ = ["cv", "train", "CVBooster"]


def _rounds_of(params: dict[str, Any], rounds: int) -> int:
    rounds = int(taken(params, "num_iterations", rounds))
    params["num_iterations"] = rounds
    if rounds <= 0:
        raise ValueError("Number of boosting rounds must be greater than 0. "
                         f"Got {rounds}.")
    return rounds


def _own_objective(params: dict[str, Any]) -> Any:
    """The objective of PARAMS if it is a function."""
    return next((value for name, value in params.items()
                 if canonical(name) == "objective" and callable(value)), None)


def _callbacks(given: Any, params: dict[str, Any]) -> tuple[list[Any],
                                                            list[Any]]:
    """Callbacks of before and of after a round, in their order."""
    found = list(given or ())
    for at, one in enumerate(found):
        if not hasattr(one, "order"):
            try:
                one.__dict__.setdefault("order", at - len(found))
            except AttributeError:
                pass
    rounds = taken(params, "early_stopping_round", None, quiet=True)
    only = taken(params, "first_metric_only", False, quiet=True)
    if rounds is not None:
        params["early_stopping_round"] = rounds
        if rounds > 0:
            level = taken(dict(params), "verbosity", 1, quiet=True)
            found.append(callback.early_stopping(
                int(rounds), bool(only), verbose=level > 0,
                min_delta=params.get("early_stopping_min_delta", 0.0)))
    found.sort(key=lambda one: getattr(one, "order", 0))
    before = [one for one in found if getattr(one, "before_iteration", False)]
    return before, [one for one in found if one not in before]


def _past(init_model: Any) -> Optional[Booster]:
    if init_model is None or isinstance(init_model, Booster):
        return init_model
    if isinstance(init_model, (str, Path)):
        return Booster(model_file=init_model)
    if hasattr(init_model, "booster_"):
        return init_model.booster_
    raise TypeError("init_model should be a Booster or a file's name")


def _named_sets(train_set: Dataset, valid_sets: Any, valid_names: Any,
                ) -> tuple[Optional[str], list[tuple[str, Dataset]]]:
    """The name of the training data if they are scored too, and the others."""
    if valid_sets is None:
        return None, []
    if isinstance(valid_sets, Dataset):
        valid_sets = [valid_sets]
    if isinstance(valid_names, str):
        valid_names = [valid_names]
    own, others = None, []
    for at, data in enumerate(valid_sets):
        named = valid_names is not None and at < len(valid_names)
        if data is train_set:
            own = valid_names[at] if named else "training"
            continue
        if not isinstance(data, Dataset):
            raise TypeError("Every item in valid_sets must be a Dataset "
                            f"object. Item {at} has type "
                            f"'{type(data).__name__}'.")
        others.append((valid_names[at] if named else f"valid_{at}", data))
    return own, others


def _best(rows: Any) -> Any:
    found: Any = defaultdict(OrderedDict)
    for row in rows or ():
        found[row[0]][row[1]] = row[2]
    return found


def _must_be_dataset(where: str, given: Any) -> None:
    if not isinstance(given, Dataset):
        raise TypeError(f"{where} only accepts Dataset object, train_set has "
                        f"type '{type(given).__name__}'.")


def train(params: dict[str, Any], train_set: Dataset,
          num_boost_round: int = 100, valid_sets: Any = None,
          valid_names: Any = None, feval: Any = None, init_model: Any = None,
          feature_name: Any = None, categorical_feature: Any = None,
          keep_training_booster: bool = False,
          callbacks: Optional[list[Callable[..., Any]]] = None) -> Booster:
    """A Booster of NUM_BOOST_ROUND rounds, or less if callbacks stop it."""
    _must_be_dataset("train()", train_set)
    params = copy.copy(params)
    rounds = _rounds_of(params, num_boost_round)
    before, after = _callbacks(callbacks, params)
    past = _past(init_model)
    if feature_name not in (None, "auto"):
        train_set.set_feature_name(feature_name)
    if categorical_feature not in (None, "auto"):
        train_set.set_categorical_feature(categorical_feature)
    booster = _booster(params, train_set, past)
    own, others = _named_sets(train_set, valid_sets, valid_names)
    booster.set_train_data_name(own or "training")
    for name, data in others:
        booster.add_valid(data.set_reference(train_set), name)
    booster.best_iteration = 0
    begin = past.current_iteration() if past else 0
    if own is None and taken(dict(params), "is_provide_training_metric",
                             False, quiet=True):
        own = "training"
    rows = _loop(booster, params, (begin, begin + rounds), feval,
                 own is not None, before, after)
    booster.best_score = _best(rows)
    if not keep_training_booster:
        booster.keep_best()
    return booster


def _booster(params: dict[str, Any], train_set: Dataset,
             past: Optional[Booster]) -> Booster:
    if past is None:
        return Booster(params, train_set)
    found = Booster.__new__(Booster)
    found.params = dict(params)
    found.best_iteration, found.best_score = -1, {}
    found.train_set, found._past = train_set, past
    found._train_data_name, found.name_valid_sets = "training", []
    found._start(train_set, past)
    return found


def _loop(booster: Any, params: dict[str, Any], span: tuple[int, int],
          feval: Any, own: bool, before: list[Any], after: list[Any]) -> Any:
    begin, end = span
    rows: Any = []
    for at in range(begin, end):
        for one in before:
            one(callback.CallbackEnv(booster, params, at, begin, end, None))
        booster.update()
        rows = []
        if own or booster.name_valid_sets:
            rows = booster.eval_train(feval) if own else []
            rows += booster.eval_valid(feval)
        try:
            for one in after:
                one(callback.CallbackEnv(booster, params, at, begin, end,
                                         rows))
        except callback.EarlyStopException as stop:
            booster.best_iteration = stop.best_iteration + 1
            return stop.best_score
    return rows


class CVBooster:
    """The boosters of all folds; calls of methods go to each."""

    def __init__(self, model_file: Any = None) -> None:
        if model_file is not None:
            raise NotImplementedError("CVBooster(model_file=...) is not here")
        self.boosters: list[Booster] = []
        self.best_iteration = -1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def each(*args: Any, **options: Any) -> list[Any]:
            return [getattr(one, name)(*args, **options)
                    for one in self.boosters]
        return each


def _folds(data: Dataset, folds: Any, nfold: int, stratified: bool,
           shuffle: bool, seed: int) -> Iterable[Any]:
    rows = data.num_data()
    if folds is not None:
        if hasattr(folds, "split"):
            groups = None if data.groups is None else np.repeat(
                np.arange(len(data.groups)), data.groups)
            return folds.split(np.empty(rows), data.y, groups)
        return folds
    from sklearn.model_selection import GroupKFold, StratifiedKFold

    if data.groups is not None:
        owner = np.repeat(np.arange(len(data.groups)), data.groups)
        return GroupKFold(nfold).split(np.empty(rows), groups=owner)
    if stratified:
        return StratifiedKFold(
            nfold, shuffle=shuffle, random_state=seed if shuffle else None,
        ).split(np.empty(rows), data.y)
    order = np.random.RandomState(seed).permutation(rows) if shuffle \
        else np.arange(rows)
    step = rows // nfold
    parts = [order[at * step:(at + 1) * step if at < nfold - 1 else rows]
             for at in range(nfold)]
    return [(np.concatenate(parts[:at] + parts[at + 1:]), parts[at])
            for at in range(nfold)]


def _together(found: list[list[Any]]) -> list[Any]:
    """The mean and the deviation of each score over the folds."""
    values: Any = OrderedDict()
    for rows in found:
        for name, metric, value, higher in rows:
            key = ("train" if name == "train" else "valid", metric, higher)
            values.setdefault(key, []).append(value)
    return [("cv_agg", f"{name} {metric}", float(np.mean(each)), higher,
             float(np.std(each)))
            for (name, metric, higher), each in values.items()]


def _fold_boosters(params: dict[str, Any], data: Dataset, parts: Any,
                   past: Any, fpreproc: Any) -> CVBooster:
    found = CVBooster()
    for rows, others in parts:
        train_set, valid = data.subset(rows), data.subset(others)
        used = copy.copy(params)
        if fpreproc is not None:
            train_set, valid, used = fpreproc(train_set, valid, used)
        booster = _booster(used, train_set, past)
        booster.set_train_data_name("train")
        booster.add_valid(valid, "valid")
        found.boosters.append(booster)
    return found


def cv(params: dict[str, Any], train_set: Dataset, num_boost_round: int = 100,
       folds: Any = None, nfold: int = 5, stratified: bool = True,
       shuffle: bool = True, metrics: Any = None, feval: Any = None,
       init_model: Any = None, feature_name: Any = None,
       categorical_feature: Any = None, fpreproc: Any = None, seed: int = 0,
       callbacks: Any = None, eval_train_metric: bool = False,
       return_cvbooster: bool = False) -> dict[str, Any]:
    """The scores of each round: their mean over the folds and deviation."""
    _must_be_dataset("cv()", train_set)
    params = copy.copy(params)
    rounds = _rounds_of(params, num_boost_round)
    before, after = _callbacks(callbacks, params)
    if metrics is not None:
        taken(params, "metric", None, quiet=True)
        params["metric"] = metrics
    if feature_name not in (None, "auto"):
        train_set.set_feature_name(feature_name)
    if categorical_feature not in (None, "auto"):
        train_set.set_categorical_feature(categorical_feature)
    if train_set.binned is None:
        train_set.params = {**params, **train_set.params}
    train_set.construct()
    folded = _fold_boosters(
        params, train_set, _folds(train_set, folds, nfold, stratified,
                                  shuffle, seed), _past(init_model), fpreproc)
    found: Any = defaultdict(list)
    for at in range(rounds):
        for one in before:
            one(callback.CallbackEnv(folded, params, at, 0, rounds, None))
        folded.update()
        rows = _together(
            [(one.eval_train(feval) if eval_train_metric else []) +
             one.eval_valid(feval) for one in folded.boosters])
        for _, name, mean, _, deviation in rows:
            found[f"{name}-mean"].append(mean)
            found[f"{name}-stdv"].append(deviation)
        try:
            for one in after:
                one(callback.CallbackEnv(folded, params, at, 0, rounds,
                                         rows))
        except callback.EarlyStopException as stop:
            folded.best_iteration = stop.best_iteration + 1
            for one in folded.boosters:
                one.best_iteration = folded.best_iteration
            found = {name: values[:folded.best_iteration]
                     for name, values in found.items()}
            break
    if return_cvbooster:
        found["cvbooster"] = folded
    return dict(found)
