"""statistics - whether groups last equally long."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from . import utils


class StatisticalResult:
    """A statistic, its probability, and what it was of."""

    def __init__(self, p_value: Any, test_statistic: Any, name: Any = None,
                 test_name: str = "", **facts: Any) -> None:
        self._ps = np.atleast_1d(np.asarray(p_value, dtype=float))
        self._stats = np.atleast_1d(np.asarray(test_statistic, dtype=float))
        self.p_value = float(p_value) if np.ndim(p_value) == 0 else p_value
        self.test_statistic = float(test_statistic) \
            if np.ndim(test_statistic) == 0 else test_statistic
        self.name, self.test_name = name, test_name
        self._facts = {**facts, "test_name": test_name}
        for key, value in facts.items():
            setattr(self, key, value)

    @property
    def summary(self) -> pd.DataFrame:
        index = None
        if self.name is not None:
            index = pd.MultiIndex.from_tuples(self.name) \
                if isinstance(self.name[0], tuple) else pd.Index(self.name)
        return pd.DataFrame({
            "test_statistic": self._stats, "p": self._ps,
            "-log2(p)": -np.log2(np.maximum(self._ps, 1e-300))}, index=index)

    def print_summary(self, decimals: int = 2, style: Any = None,
                      **kwargs: Any) -> None:
        """The facts, and the table."""
        print(repr(self).partition("\n")[0])
        print(utils.aligned(list(self._facts.items())))
        print("\n---")
        print(self._table(decimals))

    def _table(self, decimals: int) -> str:
        table = self.summary
        forms = {name: lambda x: utils.shown(x, decimals) for name in table}
        forms["p"] = lambda p: utils.p_shown(p, decimals)
        return table.to_string(formatters=forms,
                               index=self.name is not None)

    def __repr__(self) -> str:
        return (f"<lifelines.StatisticalResult: {self.test_name}>\n"
                f"{utils.aligned(list(self._facts.items()))}\n\n---\n"
                f"{self._table(2)}")


def multivariate_logrank_test(event_durations: Any, groups: Any,
                              event_observed: Any = None,
                              weights: Any = None, t_0: float = -1,
                              weightings: Any = None, **kwargs: Any,
                              ) -> StatisticalResult:
    """Whether all GROUPS have the same hazard."""
    return _logrank(event_durations, groups, event_observed, weights, t_0,
                    weightings, kwargs, "multivariate_logrank_test")


def _logrank(event_durations: Any, groups: Any, event_observed: Any,
             weights: Any, t_0: float, weightings: Any,
             kwargs: dict[str, Any], name: str) -> StatisticalResult:
    from scipy.stats import chi2
    if weights is not None or weightings is not None or kwargs:
        raise NotImplementedError(f"{name}: weights, weightings and other "
                                  "options are not here")
    times = utils.durations_of(event_durations)
    events = utils.events_of(event_observed, times)
    which = np.asarray(groups).ravel()
    if len(which) != len(times):
        raise ValueError("inputs must be of the same length.")
    if t_0 >= 0:
        events = np.where(times > t_0, 0, events)
        times = np.minimum(times, t_0)
    names = np.unique(which)
    excess, spread = _excess(times, events, which, names)
    free = len(names) - 1
    if free < 1:
        raise ValueError("There must be two groups at least.")
    part = excess[:-1]
    statistic = float(part @ np.linalg.pinv(spread[:-1, :-1]) @ part)
    return StatisticalResult(
        float(chi2.sf(statistic, free)), statistic, test_name=name, t_0=t_0,
        null_distribution="chi squared", degrees_of_freedom=free)


def _excess(times: Any, events: Any, which: Any, names: Any,
            ) -> tuple[Any, Any]:
    """Events beyond those expected in each group, and their covariance."""
    excess = np.zeros(len(names))
    spread = np.zeros((len(names), len(names)))
    for time in np.unique(times[events == 1]):
        risk = times >= time
        here = np.array([(risk & (which == one)).sum() for one in names])
        died = np.array([((times == time) & (events == 1) & (which == one))
                         .sum() for one in names])
        all_risk, all_died = here.sum(), died.sum()
        share = here / all_risk
        excess += died - all_died * share
        if all_risk > 1:
            spread += (np.diag(share) - np.outer(share, share)) * (
                all_died * (all_risk - all_died) / (all_risk - 1))
    return excess, spread


def logrank_test(durations_A: Any, durations_B: Any,
                 event_observed_A: Any = None, event_observed_B: Any = None,
                 t_0: float = -1, weights_A: Any = None,
                 weights_B: Any = None, weightings: Any = None,
                 **kwargs: Any) -> StatisticalResult:
    """Whether both groups have the same hazard."""
    first, second = (utils.durations_of(one)
                     for one in (durations_A, durations_B))
    events = np.append(utils.events_of(event_observed_A, first),
                       utils.events_of(event_observed_B, second))
    groups = np.repeat([0, 1], [len(first), len(second)])
    weights = weights_A if weights_A is not None else weights_B
    return _logrank(np.append(first, second), groups, events, weights, t_0,
                    weightings, kwargs, "logrank_test")


def pairwise_logrank_test(event_durations: Any, groups: Any,
                          event_observed: Any = None, t_0: float = -1,
                          weightings: Any = None, **kwargs: Any,
                          ) -> StatisticalResult:
    """logrank_test() of each two groups."""
    times = utils.durations_of(event_durations)
    events = utils.events_of(event_observed, times)
    which = np.asarray(groups).ravel()
    pairs = list(combinations(np.unique(which).tolist(), 2))
    found = []
    for one, two in pairs:
        rows = (which == one) | (which == two)
        found.append(_logrank(times[rows], which[rows], events[rows], None,
                              t_0, weightings, kwargs, "logrank_test"))
    return StatisticalResult(
        np.array([one.p_value for one in found]),
        np.array([one.test_statistic for one in found]), name=pairs,
        test_name="logrank_test", t_0=t_0, null_distribution="chi squared",
        degrees_of_freedom=1)


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"lifelines.statistics.{name} is not here; logrank_test, "
        "multivariate_logrank_test and pairwise_logrank_test are")
