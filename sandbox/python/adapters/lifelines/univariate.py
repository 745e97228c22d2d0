"""univariate - the curves of one group, by steps."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import pandas as pd

from . import utils


class _Steps:
    """What both fitters have in common."""

    _estimate_name = ""
    _default_label = ""

    def __init__(self, alpha: float = 0.05, label: Optional[str] = None,
                 ) -> None:
        if not 0 < alpha < 1:
            raise ValueError("alpha parameter must be between 0 and 1.")
        self.alpha = alpha
        self._given_label = label

    def fit(self, durations: Any, event_observed: Any = None,
            timeline: Any = None, entry: Any = None,
            label: Optional[str] = None, alpha: Optional[float] = None,
            ci_labels: Any = None, weights: Any = None,
            fit_options: Any = None) -> Any:
        """DURATIONS, and whether each end was observed."""
        given = {"entry": entry, "weights": weights, "timeline": timeline,
                 "fit_options": fit_options}
        for name, value in given.items():
            if value is not None:
                raise NotImplementedError(
                    f"{type(self).__name__}.fit({name}=) is not here; "
                    "durations, event_observed, label and alpha are")
        self.durations = utils.durations_of(durations)
        self.event_observed = utils.events_of(event_observed, self.durations)
        self.label = label or self._given_label or self._default_label
        self._label, self._level = self.label, alpha or self.alpha
        self.event_table = utils.survival_table_from_events(
            self.durations, self.event_observed)
        self.timeline = self.event_table.index.to_numpy()
        self._index = pd.Index(self.timeline, name="timeline")
        names = ci_labels or [
            f"{self.label}_{end}_{1 - self._level:g}"
            for end in ("lower", "upper")]
        self._fitted(names)
        return self

    def _fitted(self, names: list[str]) -> None:
        raise NotImplementedError

    def _curve(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame({self.label: values}, index=self._index)

    def _bounds(self, low: Any, high: Any, names: list[str]) -> pd.DataFrame:
        return pd.DataFrame({names[0]: low, names[1]: high},
                            index=self._index)

    def _at(self, times: Any, curve: pd.DataFrame) -> Any:
        """The value of the step at each of TIMES."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        place = np.searchsorted(self.timeline, wanted, side="right") - 1
        values = curve.iloc[:, 0].to_numpy()[np.clip(place, 0, None)]
        return pd.Series(values, index=wanted, name=self.label)

    def predict(self, times: Any, interpolate: bool = False) -> Any:
        """The estimate at TIMES."""
        if interpolate:
            raise NotImplementedError("predict(interpolate=True) is not here")
        found = self._at(times, getattr(self, self._estimate_name))
        return float(found.iloc[0]) if np.ndim(times) == 0 else found

    def __repr__(self) -> str:
        name = type(self).__name__
        if not hasattr(self, "durations"):
            return f"<lifelines.{name}>"
        censored = int((self.event_observed == 0).sum())
        return (f'<lifelines.{name}:"{self.label}", fitted with '
                f"{len(self.durations)} total observations, {censored} "
                "right-censored observations>")

    def _plotted(self, curve: pd.DataFrame, bounds: Optional[pd.DataFrame],
                 ax: Any, show_censors: bool, censor_styles: Any,
                 ci_alpha: float, loc: Any, more: dict[str, Any]) -> Any:
        import matplotlib.pyplot as plt
        for name in ("at_risk_counts", "ci_force_lines", "iloc",
                     "ci_only_lines", "ci_legend", "logx"):
            if more.pop(name, None):
                raise NotImplementedError(f"plot({name}=) is not here")
        ax = ax or plt.gca()
        if loc is not None:
            part = slice(*loc.indices(2 ** 62)) if isinstance(loc, slice) \
                and loc.start is None else loc
            curve = curve.loc[part]
            bounds = None if bounds is None else bounds.loc[part]
        color = more.pop("c", more.pop("color", None))
        label = more.pop("label", self.label)
        line, = ax.step(curve.index, curve.iloc[:, 0], where="post",
                        label=label, color=color, **more)
        if show_censors:
            rows = self.event_table["censored"] > 0
            times = self.event_table.index[rows]
            ax.plot(times, self._at(times, curve).to_numpy(), linestyle="",
                    **{"marker": "+", "ms": 12, "color": line.get_color(),
                       **(censor_styles or {})})
        if bounds is not None:
            ax.fill_between(bounds.index, bounds.iloc[:, 0],
                            bounds.iloc[:, 1], step="post", linewidth=1.0,
                            alpha=ci_alpha, color=line.get_color())
        ax.set_xlabel("timeline")
        ax.legend()
        return ax


class KaplanMeierFitter(_Steps):
    """The share that survives."""

    _estimate_name = "survival_function_"
    _default_label = "KM_estimate"

    def _fitted(self, names: list[str]) -> None:
        risk = self.event_table["at_risk"].to_numpy(dtype=float)
        died = self.event_table["observed"].to_numpy(dtype=float)
        left = risk - died
        with np.errstate(all="ignore"):
            alive = np.exp(np.cumsum(np.log(left) - np.log(risk)))
            spread = np.cumsum(np.where(left == 0, 0, died / (risk * left)))
            log = np.log(alive)
            more = utils.quantile(self._level) * np.sqrt(spread) / log
            low = np.exp(-np.exp(np.log(-log) - more))
            high = np.exp(-np.exp(np.log(-log) + more))
        low, high = (np.where(np.isnan(one), 1.0, one) for one in (low, high))
        self.survival_function_ = self._curve(alive)
        self.cumulative_density_ = 1 - self.survival_function_
        self.confidence_interval_ = self._bounds(low, high, names)
        self.confidence_interval_survival_function_ = \
            self.confidence_interval_
        self.confidence_interval_cumulative_density_ = self._bounds(
            1 - high, 1 - low, names)
        self.median_survival_time_ = utils.qth_survival_time(
            0.5, self.survival_function_)
        self.median_ = self.median_survival_time_

    def percentile(self, p: float) -> float:
        """The first time at which at most P survive."""
        return utils.qth_survival_time(p, self.survival_function_)

    def survival_function_at_times(self, times: Any, label: Any = None,
                                   ) -> pd.Series:
        return self._at(times, self.survival_function_).rename(
            label or self.label)

    def cumulative_density_at_times(self, times: Any, label: Any = None,
                                    ) -> pd.Series:
        return 1 - self.survival_function_at_times(times, label)

    def plot_survival_function(self, ax: Any = None, ci_show: bool = True,
                               show_censors: bool = False,
                               censor_styles: Any = None,
                               ci_alpha: float = 0.25, loc: Any = None,
                               **kwargs: Any) -> Any:
        """Steps, with their confidence interval."""
        return self._plotted(
            self.survival_function_,
            self.confidence_interval_ if ci_show else None, ax, show_censors,
            censor_styles, ci_alpha, loc, kwargs)

    plot = plot_survival_function

    def plot_cumulative_density(self, ax: Any = None, ci_show: bool = True,
                                show_censors: bool = False,
                                censor_styles: Any = None,
                                ci_alpha: float = 0.25, loc: Any = None,
                                **kwargs: Any) -> Any:
        return self._plotted(
            self.cumulative_density_,
            self.confidence_interval_cumulative_density_ if ci_show else None,
            ax, show_censors, censor_styles, ci_alpha, loc, kwargs)


class NelsonAalenFitter(_Steps):
    """The hazard that was met so far."""

    _estimate_name = "cumulative_hazard_"
    _default_label = "NA_estimate"

    def __init__(self, alpha: float = 0.05,
                 nelson_aalen_smoothing: bool = True,
                 label: Optional[str] = None) -> None:
        super().__init__(alpha, label)
        self.nelson_aalen_smoothing = nelson_aalen_smoothing

    def _fitted(self, names: list[str]) -> None:
        risk = self.event_table["at_risk"].to_numpy(dtype=float)
        died = self.event_table["observed"].to_numpy()
        if self.nelson_aalen_smoothing:
            steps, squares = (np.array([
                sum(1 / (n - k) ** power for k in range(d))
                for n, d in zip(risk, died)]) for power in (1, 2))
        else:
            steps = died / risk
            squares = (risk - died) * died / risk ** 3
        hazard, spread = np.cumsum(steps), np.cumsum(squares)
        with np.errstate(all="ignore"):
            more = np.exp(utils.quantile(self._level) * np.sqrt(spread) /
                          hazard)
            low, high = hazard / more, hazard * more
        low, high = (np.where(np.isnan(one), 0.0, one) for one in (low, high))
        self.cumulative_hazard_ = self._curve(hazard)
        self.confidence_interval_ = self._bounds(low, high, names)

    def cumulative_hazard_at_times(self, times: Any, label: Any = None,
                                   ) -> pd.Series:
        return self._at(times, self.cumulative_hazard_).rename(
            label or self.label)

    def smoothed_hazard_(self, bandwidth: float) -> pd.DataFrame:
        raise NotImplementedError("NelsonAalenFitter.smoothed_hazard_ is not "
                                  "here; cumulative_hazard_ is")

    def plot_cumulative_hazard(self, ax: Any = None, ci_show: bool = True,
                               show_censors: bool = False,
                               censor_styles: Any = None,
                               ci_alpha: float = 0.25, loc: Any = None,
                               **kwargs: Any) -> Any:
        """Steps, with their confidence interval."""
        return self._plotted(
            self.cumulative_hazard_,
            self.confidence_interval_ if ci_show else None, ax, show_censors,
            censor_styles, ci_alpha, loc, kwargs)

    plot = plot_cumulative_hazard
