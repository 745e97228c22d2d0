"""basic - Dataset and Booster."""

from __future__ import annotations

import base64
import pickle
from typing import Any, Optional

import numpy as np

from ._boost import Rounds
from ._dataset import Dataset, Sequence, matrix
from ._losses import loss_of
from ._names import LightGBMError, settings
from ._scores import metrics_of, scored

__all__ = ["Booster", "Dataset", "LightGBMError", "Sequence",
           "register_logger"]
_HEAD = "terrarium model of lightgbm 1\n"
_WIDTH = 76


class _Log:
    """Lines are printed; a logger of the program gets them instead."""

    logger: Any = None
    info, warning = "info", "warning"


def register_logger(logger: Any, info_method_name: str = "info",
                    warning_method_name: str = "warning") -> None:
    for name in (info_method_name, warning_method_name):
        if not callable(getattr(logger, name, None)):
            raise TypeError(
                f"Logger must provide '{info_method_name}' and "
                f"'{warning_method_name}' method")
    _Log.logger = logger
    _Log.info, _Log.warning = info_method_name, warning_method_name


def log_info(text: str) -> None:
    if _Log.logger is None:
        print(text)
    else:
        getattr(_Log.logger, _Log.info)(text)


def log_warning(text: str) -> None:
    import warnings

    if _Log.logger is None:
        warnings.warn(text, stacklevel=3)
    else:
        getattr(_Log.logger, _Log.warning)(text)


def _default_metric(setup: dict[str, Any], loss: Any) -> str:
    """The metric of the objective, by the name that the program gave it."""
    if loss is None:
        return ""
    if setup["objective"] in ("rmse", "l2_root", "root_mean_squared_error"):
        return "rmse"
    return str(loss.metric)


class Booster:
    """Trees that were grown, or are being grown."""

    def __init__(self, params: Optional[dict[str, Any]] = None,
                 train_set: Optional[Dataset] = None, model_file: Any = None,
                 model_str: Optional[str] = None) -> None:
        self.params = dict(params or {})
        self.best_iteration, self.best_score = -1, {}
        self.train_set = train_set
        self._train_data_name = "training"
        self.name_valid_sets: list[str] = []
        self.pandas_categorical: Any = None
        if train_set is not None:
            if not isinstance(train_set, Dataset):
                raise TypeError("Training data should be Dataset instance, "
                                f"met {type(train_set).__name__}")
            self._start(train_set, None)
        elif model_file is not None:
            with open(model_file, encoding="utf-8") as stream:
                self.model_from_string(stream.read())
        elif model_str is not None:
            self.model_from_string(model_str)
        else:
            raise TypeError("Need at least one training dataset or model file "
                            "or model string to create Booster instance")

    def _start(self, train: Dataset, past: Optional["Booster"]) -> None:
        self._setup = setup = settings(self.params)
        if train.binned is None:
            train.params = {**self.params, **train.params}
        train.construct()
        self._loss = loss = loss_of(setup)
        if loss:
            loss.learn(train.y, train.w, train.groups)
        self._metrics = metrics_of(setup, _default_metric(setup, loss))
        self._names = list(train.names)
        self.pandas_categorical = train.pandas_categorical
        self._prepare(train)
        self._say(train)
        self.rounds = Rounds(setup, loss, train, past)
        self._say_start(past)

    def _prepare(self, train: Dataset) -> None:
        """Constraints by the numbers of features."""
        setup, names = self._setup, self._names
        mono = setup["monotone_constraints"]
        if isinstance(mono, str):
            mono = [int(one) for one in mono.strip("()").split(",")]
        if mono is not None and len(mono) and len(mono) != len(names):
            raise LightGBMError("Check failed: (static_cast<size_t>("
                                "num_total_features_)) == "
                                "(config_.monotone_constraints.size())")
        setup["monotone_constraints"] = None if mono is None or \
            not any(mono) else list(mono)
        sets = setup["interaction_constraints"]
        if isinstance(sets, str):
            import json
            sets = json.loads(sets if sets.startswith("[[")
                              else f"[{sets}]")
        setup["interaction_constraints"] = sets and [
            [names.index(one) if isinstance(one, str) else int(one)
             for one in group] for group in sets]
        if setup["feature_fraction_bynode"] < 1:
            raise NotImplementedError("the parameter feature_fraction_bynode "
                                      "is not here: use feature_fraction")

    def _say(self, train: Dataset) -> None:
        if self._setup["verbosity"] < 1:
            return
        lines = self._loss.lines() if self._loss else [
            "Using self-defined objective function"]
        lines += [f"Total Bins {train.bins.total()}",
                  "Number of data points in the train set: "
                  f"{len(train.raw)}, number of used features: "
                  f"{train.bins.useful()}"]
        for line in lines:
            log_info(f"[LightGBM] [Info] {line}")

    def _say_start(self, past: Any) -> None:
        if self._setup["verbosity"] < 1 or past is not None or \
                not self._loss or not self.rounds.start.any():
            return
        start = self.rounds.start
        if hasattr(self._loss, "start_line"):
            log_info("[LightGBM] [Info] " + self._loss.start_line(start[0]))
        for one in start:
            log_info("[LightGBM] [Info] Start training from score "
                     f"{one:.6f}")

    # -- training

    def set_train_data_name(self, name: str) -> "Booster":
        self._train_data_name = name
        return self

    def add_valid(self, data: Dataset, name: str) -> "Booster":
        if not isinstance(data, Dataset):
            raise TypeError("Validation data should be Dataset instance, met "
                            f"{type(data).__name__}")
        if data.reference is None:
            data.set_reference(self.train_set)
        data.construct()
        if data.bins is not self.train_set.bins:
            raise LightGBMError("Add validation data failed, you should use "
                                "same predictor for these data")
        self.rounds.add(data, getattr(self, "_past", None))
        self.name_valid_sets.append(name)
        return self

    def update(self, train_set: Any = None, fobj: Any = None) -> bool:
        """One round more; whether it added nothing."""
        if train_set is not None and train_set is not self.train_set:
            raise NotImplementedError("update(train_set=...) is not here: use "
                                      "train(init_model=...)")
        fobj = fobj or (self._setup["objective"]
                        if callable(self._setup["objective"]) else None)
        if fobj is None:
            if self._loss is None:
                raise LightGBMError("Cannot update due to null objective "
                                    "function.")
            return self.rounds.step()
        return self.rounds.step(
            lambda score: fobj(score.copy(), self.train_set))

    def rollback_one_iter(self) -> "Booster":
        self.rounds.undo()
        return self

    def reset_parameter(self, params: dict[str, Any]) -> "Booster":
        self.params.update(params)
        fresh = settings({"verbosity": -1, **params})
        plain = settings({"verbosity": -1})
        for name, value in fresh.items():
            if value != plain[name] and name != "verbosity":
                self._setup[name] = value
        for name in ("learning_rate",):
            if name in params:
                self._setup[name] = float(params[name])
        return self

    def _result(self, score: Any) -> Any:
        return self._loss.result(score) if self._loss else score

    def _eval(self, at: int, name: str, feval: Any) -> list[Any]:
        data, score = self.rounds.sets[at], self.rounds.scores[at]
        result = self._result(score)
        found = [(name, *row) for metric in self._metrics for row in scored(
            metric, data.y, result, score, data.w, data.groups, self._setup)]
        for one in feval if isinstance(feval, (list, tuple)) else [feval]:
            if one is None:
                continue
            given = one(np.array(result), data)
            found += [(name, *row) for row in
                      (given if isinstance(given, list) else [given])]
        return found

    def eval_train(self, feval: Any = None) -> list[Any]:
        return self._eval(0, self._train_data_name, feval)

    def eval_valid(self, feval: Any = None) -> list[Any]:
        return [row for at, name in enumerate(self.name_valid_sets, 1)
                for row in self._eval(at, name, feval)]

    def eval(self, data: Dataset, name: str, feval: Any = None) -> list[Any]:
        if data not in self.rounds.sets:
            self.add_valid(data, name)
        return self._eval(self.rounds.sets.index(data), name, feval)

    # -- results

    def _range(self, start: int, count: Optional[int]) -> slice:
        total = len(self.rounds.trees)
        if count is None:
            count = self.best_iteration if start <= 0 else -1
        start = max(start, 0)
        return slice(start, total if count <= 0 else min(total,
                                                         start + count))

    def _matrix(self, data: Any) -> Any:
        if isinstance(data, Dataset):
            raise TypeError("Cannot use Dataset instance for prediction, "
                            "please use raw data instead")
        raw, _, _ = matrix(data, self.pandas_categorical)
        if raw.shape[1] != len(self._names):
            raise LightGBMError(
                f"The number of features in data ({raw.shape[1]}) is not the "
                f"same as it was in training data ({len(self._names)}).\nYou "
                "can set ``predict_disable_shape_check=true`` to discard this "
                "error, but please be aware what you are doing.")
        return raw

    def predict(self, data: Any, start_iteration: int = 0,
                num_iteration: Optional[int] = None, raw_score: bool = False,
                pred_leaf: bool = False, pred_contrib: bool = False,
                data_has_header: bool = False,
                validate_features: bool = False, **kwargs: Any) -> Any:
        settings({"verbosity": -1, **kwargs})
        if pred_contrib:
            raise NotImplementedError("predict(pred_contrib=True) is not "
                                      "here")
        raw = self._matrix(data)
        if validate_features and hasattr(data, "columns"):
            self._same_names(data)
        rows = self.rounds.trees[self._range(start_iteration, num_iteration)]
        ready: dict[int, Any] = {}
        for row in rows:
            for tree in row:
                if id(tree.bins) not in ready:
                    ready[id(tree.bins)] = tree.bins.apply(raw)
        if pred_leaf:
            return np.column_stack([
                tree.leaves(ready[id(tree.bins)]) for row in rows
                for tree in row]).astype(np.int32)
        score = self._sum(rows, ready, len(raw))
        return score if raw_score else self._result(score)

    def _sum(self, rows: list[Any], ready: dict[int, Any], count: int) -> Any:
        width = self.rounds.width
        score = np.zeros((count, width))
        for row in rows:
            for at, tree in enumerate(row):
                score[:, at] += tree.values(ready[id(tree.bins)])
        if self.rounds.average() and rows:
            score /= len(rows)
        score += self.rounds.start
        return score[:, 0] if width == 1 else score

    def _same_names(self, data: Any) -> None:
        for at, name in enumerate(data.columns):
            if str(name).replace(" ", "_") != self._names[at]:
                raise LightGBMError(f"Expected '{self._names[at]}' at position"
                                    f" {at} but found '{name}'")

    def feature_importance(self, importance_type: str = "split",
                           iteration: Optional[int] = None) -> Any:
        """How often each feature was split on, or how much that gained."""
        if importance_type not in ("split", "gain"):
            raise KeyError(importance_type)
        found = np.zeros(len(self._names))
        for row in self.rounds.trees[self._range(0, iteration)]:
            for tree in row:
                inner = tree.inner
                np.add.at(found, inner["feature_idx"].astype(int),
                          1 if importance_type == "split" else inner["gain"])
        return found.astype(np.int32) if importance_type == "split" else found

    def feature_name(self) -> list[str]:
        return list(self._names)

    def num_feature(self) -> int:
        return len(self._names)

    def num_trees(self) -> int:
        return len(self.rounds.trees) * self.rounds.width

    def num_model_per_iteration(self) -> int:
        return self.rounds.width

    def current_iteration(self) -> int:
        return len(self.rounds.trees)

    def get_leaf_output(self, tree_id: int, leaf_id: int) -> float:
        at, column = divmod(tree_id, self.rounds.width)
        nodes = self.rounds.trees[at][column].nodes
        return float(nodes[nodes["is_leaf"] == 1]["value"][leaf_id])

    # -- keeping

    def free_dataset(self) -> "Booster":
        """Keep the trees alone."""
        self.__dict__.update(self.__getstate__())
        self.__dict__.pop("_past", None)
        return self

    def keep_best(self) -> None:
        """Keep the trees alone, and of these those up to the best round."""
        self.free_dataset()
        self.rounds.trees = self.rounds.trees[self._range(0, None)]

    def free_network(self) -> "Booster":
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Without the tables."""
        kept = dict(self.__dict__, train_set=None)
        kept.pop("_past", None)
        rounds = object.__new__(Rounds)
        rounds.__dict__.update(
            {name: getattr(self.rounds, name) for name in
             ("setup", "width", "trees", "start", "old", "weights")})
        rounds.sets, rounds.scores, rounds.loss = [], [], None
        kept["rounds"] = rounds
        if self._loss is not None:
            kept["_loss"] = type(self._loss)(self._setup)
        kept["params"] = {name: value for name, value in self.params.items()
                          if not callable(value)}
        if callable(self._setup["objective"]):
            kept["_setup"] = dict(self._setup, objective="custom")
        rounds.setup = kept["_setup"]
        return kept

    def model_to_string(self, num_iteration: Optional[int] = None,
                        start_iteration: int = 0,
                        importance_type: str = "split") -> str:
        """The model as a text that this module alone can read."""
        state = self.__getstate__()
        rounds = state["rounds"]
        rounds.trees = rounds.trees[self._range(start_iteration,
                                                num_iteration)]
        text = base64.b64encode(pickle.dumps(state)).decode()
        return _HEAD + "\n".join(text[at:at + _WIDTH] for at in
                                 range(0, len(text), _WIDTH)) + "\n"

    def model_from_string(self, model_str: str) -> "Booster":
        if not model_str.startswith(_HEAD):
            raise NotImplementedError("a model's file that lightgbm itself "
                                      "wrote cannot be read here")
        self.__dict__.update(pickle.loads(base64.b64decode(
            model_str[len(_HEAD):])))
        return self

    def save_model(self, filename: Any, num_iteration: Optional[int] = None,
                   start_iteration: int = 0,
                   importance_type: str = "split") -> "Booster":
        with open(filename, "w", encoding="utf-8") as stream:
            stream.write(self.model_to_string(num_iteration,
                                              start_iteration))
        return self

    def __copy__(self) -> "Booster":
        return self.__deepcopy__(None)

    def __deepcopy__(self, _memo: Any) -> "Booster":
        found = object.__new__(Booster)
        found.__dict__.update(pickle.loads(pickle.dumps(
            self.__getstate__())))
        return found

    def __getattr__(self, name: str) -> Any:
        if name in ("dump_model", "trees_to_dataframe", "refit",
                    "get_split_value_histogram", "shuffle_models",
                    "lower_bound", "upper_bound", "set_network",
                    "set_leaf_output"):
            raise AttributeError(f"Booster.{name}() is not here")
        raise AttributeError(f"'Booster' object has no attribute '{name}'")
