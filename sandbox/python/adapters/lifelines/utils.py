"""utils - tables of events, medians and concordance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .exceptions import (ConvergenceError, ConvergenceWarning, StatError,
                         StatisticalWarning)

__all__ = ["concordance_index", "median_survival_times", "qth_survival_time",
           "qth_survival_times", "survival_table_from_events",
           "restricted_mean_survival_time", "datetimes_to_durations",
           "ConvergenceError", "ConvergenceWarning", "StatError",
           "StatisticalWarning"]


def durations_of(values: Any) -> Any:
    """Durations as numbers, without any that are missing or negative."""
    found = np.asarray(values)
    if found.dtype.kind in "mM":
        raise TypeError("Durations are times; convert them to numbers, such "
                        "as days, first")
    found = found.astype(float).ravel()
    if not len(found):
        raise ValueError("Empty array/list passed in.")
    if np.isnan(found).any() or np.isinf(found).any():
        raise TypeError("NaNs or infs were detected in the dataset. Try using "
                        "pd.isnull to find the problematic values.")
    if (found < 0).any():
        raise ValueError(
            "This model does not allow for non-positive durations. Suggestion:"
            " add a small positive value to zero elements.")
    return found


def events_of(values: Any, durations: Any) -> Any:
    """Whether each end was observed; all, if nothing is said."""
    if values is None:
        return np.ones(len(durations), dtype=int)
    found = np.asarray(values).astype(float).ravel()
    if len(found) != len(durations):
        raise ValueError("Durations and events must have the same length.")
    if np.isnan(found).any():
        raise TypeError("NaNs were detected in the dataset.")
    if not np.isin(found, (0, 1)).all():
        raise ValueError("Events must be 0 or 1, False or True.")
    return found.astype(int)


def survival_table_from_events(death_times: Any, event_observed: Any,
                               ) -> pd.DataFrame:
    """Counts at each time: ends, of these observed ones, and at risk."""
    durations = durations_of(death_times)
    events = events_of(event_observed, durations)
    times = np.unique(np.append(durations, 0.0))
    at = np.searchsorted(times, durations)
    removed = np.bincount(at, minlength=len(times))
    observed = np.bincount(at, weights=events,
                           minlength=len(times)).astype(int)
    entrance = np.zeros(len(times), dtype=int)
    entrance[0] = len(durations)
    risk = len(durations) - np.append(0, np.cumsum(removed)[:-1])
    return pd.DataFrame(
        {"removed": removed, "observed": observed,
         "censored": removed - observed, "entrance": entrance,
         "at_risk": risk}, index=pd.Index(times, name="event_at"))


def qth_survival_time(q: float, model_or_survival_function: Any) -> float:
    """The first time at which at most Q survive; inf if there is none."""
    if not 0 <= q <= 1:
        raise ValueError("q must be between 0 and 1")
    curve = getattr(model_or_survival_function, "survival_function_",
                    model_or_survival_function)
    if isinstance(curve, pd.DataFrame):
        if curve.shape[1] > 1:
            raise ValueError("Expecting a DataFrame (or Series) with a single "
                             "column. Provide that or use "
                             "utils.qth_survival_times.")
        curve = curve.iloc[:, 0]
    below = curve.to_numpy() <= q + 1e-12
    return float(curve.index[np.argmax(below)]) if below.any() else np.inf


def qth_survival_times(q: Any, survival_functions: Any) -> Any:
    """qth_survival_time() of each Q and each column."""
    curves = getattr(survival_functions, "survival_function_",
                     survival_functions)
    if isinstance(curves, pd.Series):
        curves = curves.to_frame()
    shares = np.atleast_1d(np.asarray(q, dtype=float))
    table = pd.DataFrame({name: [qth_survival_time(share, curves[name])
                                 for share in shares] for name in curves},
                         index=pd.Index(shares, name="p"))
    if table.shape == (1, 1):
        return float(table.iloc[0, 0])
    return table


def median_survival_times(model_or_survival_function: Any) -> Any:
    return qth_survival_times(0.5, model_or_survival_function)


def restricted_mean_survival_time(model_or_survival_function: Any,
                                  t: float = np.inf,
                                  return_variance: bool = False) -> float:
    """The area below a curve of steps up to T."""
    if return_variance:
        raise NotImplementedError("restricted_mean_survival_time("
                                  "return_variance=True) is not here")
    curve = getattr(model_or_survival_function, "survival_function_",
                    model_or_survival_function)
    if isinstance(curve, pd.DataFrame):
        curve = curve.iloc[:, 0]
    if not np.isfinite(t):
        t = float(curve.index[-1])
    times = curve.index.to_numpy(dtype=float)
    ends = np.clip(np.append(times[1:], max(t, times[-1])), None, t)
    return float((curve.to_numpy() * np.clip(ends - times, 0, None)).sum())


def concordance_index(event_times: Any, predicted_scores: Any,
                      event_observed: Any = None) -> float:
    """The share of pairs that are in the right order; half for ties."""
    times = durations_of(event_times)
    scores = np.asarray(predicted_scores, dtype=float).ravel()
    events = events_of(event_observed, times)
    if len(scores) != len(times):
        raise ValueError("Event times and predictions must have the same "
                         "length.")
    right = tied = pairs = 0
    for at in np.flatnonzero(events):
        later = times > times[at]
        later |= (times == times[at]) & (events == 0)
        pairs += int(later.sum())
        right += int((scores[later] > scores[at]).sum())
        tied += int((scores[later] == scores[at]).sum())
    if not pairs:
        raise ZeroDivisionError("No admissable pairs in the dataset.")
    return (right + tied / 2) / pairs


def datetimes_to_durations(start_times: Any, end_times: Any,
                           fill_date: Any = None, freq: str = "D",
                           **more: Any) -> tuple[Any, Any]:
    """Durations in FREQ, and whether there was an end."""
    if more:
        raise NotImplementedError("datetimes_to_durations takes fill_date and "
                                  "freq alone here")
    first = pd.to_datetime(pd.Series(start_times).reset_index(drop=True))
    last = pd.to_datetime(pd.Series(end_times).reset_index(drop=True))
    last_day = pd.Timestamp.now() if fill_date is None else \
        pd.to_datetime(fill_date)
    events = last.notna() & ~(last > last_day)
    last = last.where(events, last_day)
    unit = pd.Timedelta(1, unit=freq)
    return np.floor((last - first) / unit).to_numpy(), events.to_numpy()


def shown(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def p_shown(p: float, decimals: int) -> str:
    """P, or a bound if it would look like 0."""
    least = 0.5 * 10 ** -decimals
    return f"<{least:.{decimals + 1}f}" if p < least else shown(p, decimals)


def aligned(rows: list[tuple[str, Any]]) -> str:
    """Names and values, with the = below each other."""
    wide = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:>{wide}} = {value}" for name, value in rows)


def quantile(alpha: float) -> float:
    from scipy.stats import norm
    return float(norm.ppf(1 - alpha / 2))

