"""cox - Cox's proportional hazards; ties by Efron's method.

The best coefficients are found by Newton's method, with the penalty for their
squares that is asked for. The baseline is Breslow's, at the means of the
covariates.
"""

from __future__ import annotations

import datetime
import warnings
from typing import Any, Optional

import numpy as np
import pandas as pd

from . import utils
from .exceptions import ConvergenceError, ConvergenceWarning
from .statistics import StatisticalResult

STEPS = 60
NEAR = 1e-9


def _gradient(x: Any, times: Any, events: Any, beta: Any,
              ) -> tuple[float, Any, Any]:
    """The log-likelihood, its gradient and its second derivatives.

    Rows are in the order of TIMES, latest first.
    """
    score = np.exp(x @ beta)
    width = x.shape[1]
    risk, risk_x = 0.0, np.zeros(width)
    risk_xx = np.zeros((width, width))
    value, slope = 0.0, np.zeros(width)
    bend, at = np.zeros((width, width)), 0
    while at < len(times):
        end = at
        while end < len(times) and times[end] == times[at]:
            end += 1
        rows, weights = x[at:end], score[at:end]
        risk += weights.sum()
        risk_x += weights @ rows
        risk_xx += (rows * weights[:, None]).T @ rows
        died = events[at:end] == 1
        count = int(died.sum())
        if count:
            x_died, w_died = rows[died], weights[died]
            sum_w, sum_wx = w_died.sum(), w_died @ x_died
            sum_wxx = (x_died * w_died[:, None]).T @ x_died
            value += float((x_died @ beta).sum())
            slope += x_died.sum(axis=0)
            for tie in range(count):
                part = tie / count
                whole = risk - part * sum_w
                mean = (risk_x - part * sum_wx) / whole
                value -= float(np.log(whole))
                slope -= mean
                bend -= (risk_xx - part * sum_wxx) / whole - np.outer(mean,
                                                                      mean)
        at = end
    return value, slope, bend


class CoxPHFitter:
    """How covariates multiply the hazard."""

    def __init__(self, baseline_estimation_method: str = "breslow",
                 penalizer: Any = 0.0, strata: Any = None,
                 l1_ratio: float = 0.0, n_baseline_knots: Any = None,
                 knots: Any = None, breakpoints: Any = None,
                 alpha: float = 0.05, label: Optional[str] = None) -> None:
        if np.ndim(penalizer) or l1_ratio:
            raise NotImplementedError(
                "CoxPHFitter(l1_ratio=), and a penalizer for each covariate, "
                "are not here; penalizer=NUMBER is")
        if baseline_estimation_method != "breslow" or strata is not None:
            raise NotImplementedError("CoxPHFitter is for the baseline "
                                      "'breslow' without strata here")
        self.alpha, self.penalizer, self.strata = alpha, penalizer, None
        self.baseline_estimation_method = baseline_estimation_method
        self.label = label

    def fit(self, df: pd.DataFrame, duration_col: Any = None,
            event_col: Any = None, show_progress: bool = False,
            **kwargs: Any) -> "CoxPHFitter":
        """All columns of DF but two are covariates."""
        for name, value in kwargs.items():
            if value is not None and value is not False:
                raise NotImplementedError(
                    f"CoxPHFitter.fit({name}=) is not here; make columns of "
                    "numbers (pandas.get_dummies) and give duration_col and "
                    "event_col")
        if duration_col is None:
            raise TypeError("duration_col cannot be None.")
        self.duration_col, self.event_col = duration_col, event_col
        self._time_fit_was_called = datetime.datetime.now(
            datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S") + " UTC"
        self.durations = pd.Series(utils.durations_of(df[duration_col]),
                                   index=df.index, name=duration_col)
        self.event_observed = pd.Series(utils.events_of(
            None if event_col is None else df[event_col], self.durations),
            index=df.index, name=event_col or "E").astype(bool)
        table = df.drop(columns=[one for one in (duration_col, event_col)
                                 if one is not None])
        self._fit(self._numbers(table))
        return self

    @staticmethod
    def _numbers(table: pd.DataFrame) -> pd.DataFrame:
        wrong = [name for name in table if table[name].dtype.kind not in
                 "biuf"]
        if wrong:
            raise TypeError(
                f"DataFrame contains nonnumeric columns: {wrong}. Try 1) "
                "using pandas.get_dummies to convert the non-numeric column(s)"
                " to numerical data, or 2) dropping the column(s).")
        table = table.astype(float)
        if not np.isfinite(table.to_numpy()).all():
            raise TypeError("NaNs or infs were detected in the dataset. Try "
                            "using pd.isnull to find the problematic values.")
        return table

    def _fit(self, table: pd.DataFrame) -> None:
        x = table.to_numpy()
        self._norm_mean, spread = table.mean(), table.std()
        flat = [name for name in table if spread[name] == 0]
        if flat or not len(table.columns):
            raise ConvergenceError(
                f"Column(s) {flat} have the same value in all rows. "
                "Convergence halted." if flat else
                "There are no covariates.")
        times = self.durations.to_numpy()
        events = self.event_observed.to_numpy().astype(int)
        if not events.any():
            raise ConvergenceError("No event was observed.")
        order = np.argsort(-times, kind="stable")
        scale = spread.to_numpy()
        z = ((x - self._norm_mean.to_numpy()) / scale)[order]
        beta, value, bend = self._newton(z, times[order], events[order],
                                         len(x) * float(self.penalizer))
        self._null = _gradient(z, times[order], events[order],
                               np.zeros(len(scale)))[0]
        names = pd.Index(table.columns, name="covariate")
        self.params_ = pd.Series(beta / scale, index=names, name="coef")
        self.hazard_ratios_ = np.exp(self.params_).rename("exp(coef)")
        self.log_likelihood_ = value
        matrix = np.linalg.inv(-bend) / np.outer(scale, scale)
        self.variance_matrix_ = pd.DataFrame(
            matrix, index=names, columns=list(table.columns))
        self.standard_errors_ = pd.Series(np.sqrt(np.diag(matrix)), names,
                                          name="se")
        self._table = table
        self._baseline(times, events)
        self.concordance_index_ = utils.concordance_index(
            times, -self.predict_partial_hazard(table), events)

    @staticmethod
    def _newton(z: Any, times: Any, events: Any, penalty: float,
                ) -> tuple[Any, float, Any]:
        """The best coefficients of Z; a large one costs PENALTY."""
        def gradient(beta: Any) -> tuple[float, Any, Any]:
            value, slope, bend = _gradient(z, times, events, beta)
            return (value - penalty * float(beta @ beta) / 2,
                    slope - penalty * beta,
                    bend - penalty * np.eye(len(beta)))

        beta = np.zeros(z.shape[1])
        value, slope, bend = gradient(beta)
        for _ in range(STEPS):
            try:
                step = np.linalg.solve(-bend, slope)
            except np.linalg.LinAlgError:
                step = np.array([np.inf])
            if not np.isfinite(step).all() or np.abs(step).max() > 1e6:
                raise ConvergenceError(
                    "Convergence halted due to matrix inversion problems. "
                    "Suspicion is high collinearity.")
            size = 1.0
            while True:
                found = gradient(beta + size * step)
                if np.isfinite(found[0]) and found[0] >= value - 1e-12 or \
                        size < 1e-4:
                    break
                size /= 2
            beta = beta + size * step
            value, slope, bend = found
            if np.abs(size * step).max() < NEAR:
                break
        if np.abs(beta).max() > 12:
            warnings.warn("The coefficients grow without end: a covariate may "
                          "separate the events completely.",
                          ConvergenceWarning, stacklevel=4)
        if np.linalg.cond(bend) > 1e12:
            raise ConvergenceError(
                "Convergence halted due to matrix inversion problems. "
                "Suspicion is high collinearity.")
        return beta, value, bend

    def _baseline(self, times: Any, events: Any) -> None:
        score = self.predict_partial_hazard(self._table).to_numpy()
        unique = np.unique(np.append(0.0, times))
        hazard = np.array([
            ((times == time) & (events == 1)).sum() /
            score[times >= time].sum() for time in unique])
        index = pd.Index(unique, name="event_at")
        self.baseline_hazard_ = pd.DataFrame({"baseline hazard": hazard},
                                             index=index)
        self.baseline_cumulative_hazard_ = pd.DataFrame(
            {"baseline cumulative hazard": np.cumsum(hazard)}, index=index)
        self.baseline_survival_ = pd.DataFrame(
            {"baseline survival": np.exp(-np.cumsum(hazard))}, index=index)

    # -- predictions

    def _rows(self, X: Any) -> pd.DataFrame:
        if isinstance(X, pd.Series):
            X = X.to_frame().T.infer_objects()
        if isinstance(X, pd.DataFrame):
            return self._numbers(X[list(self.params_.index)])
        return pd.DataFrame(np.atleast_2d(np.asarray(X, dtype=float)),
                            columns=list(self.params_.index))

    def predict_log_partial_hazard(self, X: Any) -> pd.Series:
        rows = self._rows(X)
        return ((rows - self._norm_mean) @ self.params_).rename(None)

    def predict_partial_hazard(self, X: Any) -> pd.Series:
        return np.exp(self.predict_log_partial_hazard(X))

    def predict_cumulative_hazard(self, X: Any, times: Any = None,
                                  conditional_after: Any = None,
                                  ) -> pd.DataFrame:
        """A column for each row of X."""
        if conditional_after is not None:
            raise NotImplementedError("CoxPHFitter predictions with "
                                      "conditional_after are not here")
        score = self.predict_partial_hazard(X)
        base = self.baseline_cumulative_hazard_.iloc[:, 0]
        if times is not None:
            wanted = np.atleast_1d(np.asarray(times, dtype=float))
            place = np.searchsorted(base.index, wanted, side="right")
            base = pd.Series(np.append(0.0, base.to_numpy())[place],
                             index=wanted)
        return pd.DataFrame(np.outer(base.to_numpy(), score.to_numpy()),
                            index=base.index.rename(None),
                            columns=score.index)

    def predict_survival_function(self, X: Any, times: Any = None,
                                  conditional_after: Any = None,
                                  ) -> pd.DataFrame:
        return np.exp(-self.predict_cumulative_hazard(X, times,
                                                      conditional_after))

    def predict_percentile(self, X: Any, p: float = 0.5) -> Any:
        found = utils.qth_survival_times(p, self.predict_survival_function(X))
        return found if isinstance(found, float) else found.iloc[0]

    def predict_median(self, X: Any) -> Any:
        return self.predict_percentile(X, 0.5)

    def predict_expectation(self, X: Any) -> pd.Series:
        """The area below each curve, by trapezia."""
        curves = self.predict_survival_function(X)
        times = curves.index.to_numpy(dtype=float)
        values = curves.to_numpy()
        area = ((values[1:] + values[:-1]) / 2 *
                np.diff(times)[:, None]).sum(axis=0)
        return pd.Series(area, index=curves.columns)

    def score(self, df: pd.DataFrame,
              scoring_method: str = "log_likelihood") -> float:
        if scoring_method != "concordance_index":
            raise NotImplementedError("CoxPHFitter.score is for "
                                      "scoring_method='concordance_index' "
                                      "here")
        return utils.concordance_index(
            df[self.duration_col], -self.predict_partial_hazard(df),
            None if self.event_col is None else df[self.event_col])

    # -- results

    @property
    def confidence_intervals_(self) -> pd.DataFrame:
        z, word = utils.quantile(self.alpha), f"{100 * (1 - self.alpha):g}%"
        return pd.DataFrame({
            f"{word} lower-bound": self.params_ - z * self.standard_errors_,
            f"{word} upper-bound": self.params_ + z * self.standard_errors_})

    @property
    def AIC_partial_(self) -> float:
        return 2 * len(self.params_) - 2 * self.log_likelihood_

    def log_likelihood_ratio_test(self) -> StatisticalResult:
        from scipy.stats import chi2
        statistic, free = 2 * (self.log_likelihood_ - self._null), len(
            self.params_)
        return StatisticalResult(
            float(chi2.sf(statistic, free)), statistic,
            test_name="log-likelihood ratio test",
            null_distribution="chi squared", degrees_freedom=free)

    @property
    def summary(self) -> pd.DataFrame:
        from scipy.stats import norm
        bounds = self.confidence_intervals_
        word = f"{100 * (1 - self.alpha):g}%"
        z = self.params_ / self.standard_errors_
        p = pd.Series(2 * norm.sf(np.abs(z)), index=z.index)
        return pd.DataFrame({
            "coef": self.params_, "exp(coef)": self.hazard_ratios_,
            "se(coef)": self.standard_errors_,
            f"coef lower {word}": bounds.iloc[:, 0],
            f"coef upper {word}": bounds.iloc[:, 1],
            f"exp(coef) lower {word}": np.exp(bounds.iloc[:, 0]),
            f"exp(coef) upper {word}": np.exp(bounds.iloc[:, 1]),
            "cmp to": 0.0, "z": z, "p": p,
            "-log2(p)": -np.log2(np.maximum(p, 1e-300))})

    def print_summary(self, decimals: int = 2, style: Any = None,
                      columns: Any = None, **kwargs: Any) -> None:
        """What was fitted, the coefficients, and tests of the whole."""
        rows = [("duration col", f"'{self.duration_col}'")]
        if self.event_col is not None:
            rows.append(("event col", f"'{self.event_col}'"))
        if self.penalizer:
            rows += [("penalizer", self.penalizer), ("l1 ratio", 0.0)]
        rows += [("baseline estimation", "breslow"),
                 ("number of observations", len(self.durations)),
                 ("number of events observed",
                  int(self.event_observed.sum())),
                 ("partial log-likelihood",
                  utils.shown(self.log_likelihood_, decimals)),
                 ("time fit was run", self._time_fit_was_called)]
        print(repr(self))
        print(utils.aligned(rows + list(kwargs.items())))
        print("\n---")
        self._print_table(decimals, columns)
        test = self.log_likelihood_ratio_test()
        print("---")
        print("Concordance =", utils.shown(self.concordance_index_, decimals))
        print("Partial AIC =", utils.shown(self.AIC_partial_, decimals))
        print("log-likelihood ratio test =",
              utils.shown(test.test_statistic, decimals), "on",
              len(self.params_), "df")
        print("-log2(p) of ll-ratio test =",
              utils.shown(test.summary["-log2(p)"].iloc[0], decimals))

    def _print_table(self, decimals: int, columns: Any) -> None:
        table = self.summary
        if columns is not None:
            table = table[list(columns)]
        forms = {name: lambda x: utils.shown(x, decimals) for name in table}
        if "p" in forms:
            forms["p"] = lambda p: utils.p_shown(p, decimals)
        first = [name for name in table
                 if name not in ("cmp to", "z", "p", "-log2(p)")]
        rest = [name for name in table if name not in first]
        for names in (first, rest):
            if names:
                print(table[names].to_string(
                    formatters={name: forms[name] for name in names}))
                print() if names is first and rest else None

    def __repr__(self) -> str:
        if not hasattr(self, "params_"):
            return "<lifelines.CoxPHFitter>"
        censored = int((~self.event_observed).sum())
        return (f"<lifelines.CoxPHFitter: fitted with {len(self.durations)} "
                f"total observations, {censored} right-censored observations>")

    def plot(self, columns: Any = None, hazard_ratios: bool = False,
             ax: Any = None, **errorbar_kwargs: Any) -> Any:
        """Coefficients with their intervals, largest above."""
        import matplotlib.pyplot as plt
        ax = ax or plt.gca()
        names = list(columns or self.params_.index)
        coef = self.params_[names]
        half = utils.quantile(self.alpha) * self.standard_errors_[names]
        order = list(np.argsort(coef.to_numpy()))
        middle, low, high = (one.to_numpy()[order] for one in
                             (coef, coef - half, coef + half))
        if hazard_ratios:
            middle, low, high = np.exp(middle), np.exp(low), np.exp(high)
        places = np.arange(len(names))
        ax.errorbar(middle, places, xerr=[middle - low, high - middle],
                    **{"fmt": "s", "color": "k", "ecolor": "k", "capsize": 3,
                       "markerfacecolor": "white", "markersize": 6,
                       **errorbar_kwargs})
        ax.axvline(1 if hazard_ratios else 0, linestyle=":", color="k",
                   linewidth=1, alpha=0.65)
        ax.set_yticks(places)
        ax.set_yticklabels([names[at] for at in order])
        word = f"{100 * (1 - self.alpha):g}% CI"
        ax.set_xlabel(f"{'HR' if hazard_ratios else 'log(HR)'} ({word})")
        return ax

    def _absent(self, name: str) -> Any:
        raise NotImplementedError(
            f"CoxPHFitter.{name} is not here; fit(), summary, print_summary(),"
            " plot() and the predict_... methods are")

    def check_assumptions(self, *args: Any, **kwargs: Any) -> Any:
        return self._absent("check_assumptions")

    def compute_residuals(self, *args: Any, **kwargs: Any) -> Any:
        return self._absent("compute_residuals")

    def plot_partial_effects_on_outcome(self, *args: Any, **kwargs: Any,
                                        ) -> Any:
        return self._absent("plot_partial_effects_on_outcome")
