"""callback - functions that are called before and after each round."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any, Callable, Union

from .basic import log_info, log_warning
from ._names import canonical

__all__ = ["EarlyStopException", "CallbackEnv", "early_stopping",
           "log_evaluation", "record_evaluation", "reset_parameter"]

CallbackEnv = namedtuple("CallbackEnv", [
    "model", "params", "iteration", "begin_iteration", "end_iteration",
    "evaluation_result_list"])


class EarlyStopException(Exception):
    """Training ends here."""

    def __init__(self, best_iteration: int, best_score: Any) -> None:
        super().__init__()
        self.best_iteration, self.best_score = best_iteration, best_score


def _shown(row: Any, show_stdv: bool = True) -> str:
    text = f"{row[0]}'s {row[1]}: {row[2]:g}"
    if len(row) == 5 and show_stdv:
        text += f" + {row[4]:g}"
    return text


def _line(rows: Any, show_stdv: bool = True) -> str:
    return "\t".join(_shown(row, show_stdv) for row in rows)


class _Log:
    """Prints the scores of every PERIOD-th round."""

    order, before_iteration = 10, False

    def __init__(self, period: int = 1, show_stdv: bool = True) -> None:
        self.period, self.show_stdv = period, show_stdv

    def __call__(self, env: CallbackEnv) -> None:
        if self.period > 0 and env.evaluation_result_list and \
                (env.iteration + 1) % self.period == 0:
            log_info(f"[{env.iteration + 1}]\t"
                     f"{_line(env.evaluation_result_list, self.show_stdv)}")


def log_evaluation(period: int = 1, show_stdv: bool = True) -> _Log:
    return _Log(period=period, show_stdv=show_stdv)


class _Record:
    """Keeps the scores of all rounds in a dictionary."""

    order, before_iteration = 20, False

    def __init__(self, eval_result: dict[str, Any]) -> None:
        if not isinstance(eval_result, dict):
            raise TypeError("eval_result should be a dictionary")
        self.eval_result = eval_result

    def __call__(self, env: CallbackEnv) -> None:
        if env.iteration == env.begin_iteration:
            self.eval_result.clear()
        for row in env.evaluation_result_list or ():
            name, metric = row[1].split() if len(row) == 5 else row[:2]
            found = self.eval_result.setdefault(name, OrderedDict())
            if len(row) == 5:
                found.setdefault(f"{metric}-mean", []).append(row[2])
                found.setdefault(f"{metric}-stdv", []).append(row[4])
            else:
                found.setdefault(metric, []).append(row[2])


def record_evaluation(eval_result: dict[str, Any]) -> _Record:
    return _Record(eval_result=eval_result)


class _Reset:
    """Changes parameters before each round."""

    order, before_iteration = 10, True

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs

    def __call__(self, env: CallbackEnv) -> None:
        fresh = {}
        at = env.iteration - env.begin_iteration
        for name, value in self.kwargs.items():
            if isinstance(value, list):
                if len(value) != env.end_iteration - env.begin_iteration:
                    raise ValueError(f"Length of list {name!r} has to be "
                                     "equal to 'num_boost_round'.")
                fresh[name] = value[at]
            elif callable(value):
                fresh[name] = value(at)
            else:
                raise ValueError("Only list and callable values are supported "
                                 "as a mapping from boosting round index to "
                                 "new parameter value.")
        if fresh:
            models = getattr(env.model, "boosters", [env.model])
            for model in models:
                model.reset_parameter(fresh)
            env.params.update(fresh)


def reset_parameter(**kwargs: Union[list[Any], Callable[..., Any]]) -> _Reset:
    return _Reset(**kwargs)


class _Stop:
    """Ends training when no score has become better for some rounds."""

    order, before_iteration = 30, False

    def __init__(self, stopping_rounds: int, first_metric_only: bool = False,
                 verbose: bool = True,
                 min_delta: Union[float, list[float]] = 0.0) -> None:
        if not isinstance(stopping_rounds, int) or stopping_rounds <= 0:
            raise ValueError("stopping_rounds should be an integer and greater"
                             f" than 0. got: {stopping_rounds}")
        self.stopping_rounds = stopping_rounds
        self.first_metric_only = first_metric_only
        self.verbose, self.min_delta = verbose, min_delta
        self.enabled = True
        self.best: list[Any] = []

    def _deltas(self, rows: Any) -> list[float]:
        names = {row[1] for row in rows}
        given = self.min_delta
        if not isinstance(given, list):
            if given < 0:
                raise ValueError("Early stopping min_delta must be "
                                 "non-negative.")
            return [given] * len(rows)
        if any(one < 0 for one in given):
            raise ValueError("Values for early stopping min_delta must be "
                             "non-negative.")
        if not given:
            return [0.0] * len(rows)
        if len(given) == 1:
            return given * len(rows)
        if len(given) != len(names):
            raise ValueError("Must provide a single value for min_delta or as "
                             "many as metrics.")
        order = list(dict.fromkeys(row[1] for row in rows))
        return [given[order.index(row[1])] for row in rows]

    def _begin(self, env: CallbackEnv) -> None:
        self.best = []
        kind = next((value for name, value in env.params.items()
                     if canonical(name) == "boosting"), None)
        self.enabled = kind != "dart"
        if not self.enabled:
            log_warning("Early stopping is not available in dart mode")
            return
        rows = env.evaluation_result_list
        if not rows:
            raise ValueError("For early stopping, at least one dataset and "
                             "eval metric is required for evaluation")
        only = {row[0] for row in rows} == {self._train_name(env)}
        if only:
            self.enabled = False
            log_warning("Only training set found, disabling early stopping.")
            return
        if self.verbose:
            log_info("Training until validation scores don't improve for "
                     f"{self.stopping_rounds} rounds")
        self.first = rows[0][1].split(" ")[-1]
        self.deltas = self._deltas(rows)
        self.best = [[None, 0, None] for _ in rows]

    def _train_name(self, env: CallbackEnv) -> str:
        return vars(env.model).get("_train_data_name", "training")

    def _end(self, at: int, row: Any, line: str) -> None:
        value, round_, rows = self.best[at]
        if self.verbose:
            log_info(f"{line}\n[{round_ + 1}]\t{_line(rows)}")
            if self.first_metric_only:
                log_info(f"Evaluated only: {row[1]}")
        raise EarlyStopException(round_, rows)

    def __call__(self, env: CallbackEnv) -> None:
        if env.iteration == env.begin_iteration:
            self._begin(env)
        if not self.enabled:
            return
        rows = env.evaluation_result_list
        train = self._train_name(env)
        for at, row in enumerate(rows):
            self._note(at, row, env)
            if self.first_metric_only and \
                    self.first != row[1].split(" ")[-1]:
                continue
            if row[0] == train or row[1].startswith("train "):
                self._last(at, row, env)
                continue
            if env.iteration - self.best[at][1] >= self.stopping_rounds:
                self._end(at, row, "Early stopping, best iteration is:")
            self._last(at, row, env)

    def _note(self, at: int, row: Any, env: CallbackEnv) -> None:
        best, delta = self.best[at][0], self.deltas[at]
        if best is None or (row[2] > best + delta if row[3]
                            else row[2] < best - delta):
            self.best[at] = [row[2], env.iteration,
                             env.evaluation_result_list]

    def _last(self, at: int, row: Any, env: CallbackEnv) -> None:
        if env.iteration == env.end_iteration - 1:
            self._end(at, row, "Did not meet early stopping. Best iteration "
                      "is:")


def early_stopping(stopping_rounds: int, first_metric_only: bool = False,
                   verbose: bool = True,
                   min_delta: Union[float, list[float]] = 0.0) -> _Stop:
    return _Stop(stopping_rounds, first_metric_only, verbose, min_delta)
