"""newer_statistics - scipy's dunnett() and ecdf(), and statsmodels' MSTL.

As newer_science.py: scipy has them since 1.11 and statsmodels since 0.14, while
Debian 12 has 1.10 and 0.13.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .newer_python import add, replace

import importlib
from typing import Any, NamedTuple

_import = importlib.import_module

# -- dunnett()

_STEPS = 128        # of an integral
_TAIL = 1e-13       # of it that is left out


def _within(reach: float, df: float, loads: Any, alternative: str) -> float:
    """How probable it is that no statistic is beyond REACH. Two of them
    correlate by the product of their LOADS, so both depend on one normal
    value and on the common deviation alone."""
    numpy, stats = _import("numpy"), _import("scipy.stats")
    at, weights = numpy.polynomial.legendre.leggauss(_STEPS)
    least, most = numpy.sqrt(stats.chi2.ppf([_TAIL, 1 - _TAIL], df) / df)
    spread = least + (most - least) * (at + 1) / 2
    weigh = weights * (most - least) * df * spread * stats.chi2.pdf(
        df * spread ** 2, df)
    scale = spread[:, None, None]
    z, own = (9 * at)[None, :, None], numpy.sqrt(1 - loads ** 2)
    below = stats.norm.cdf((reach * scale - loads * z) / own)
    if alternative == "two-sided":
        below = below - stats.norm.cdf((-reach * scale - loads * z) / own)
    inner = (below.prod(-1) * stats.norm.pdf(9 * at)) @ (9 * weights)
    return float(inner @ weigh)


class _Interval(NamedTuple):
    low: Any
    high: Any


class DunnettResult:
    """Of each sample the difference from the control's."""

    def __init__(self, samples: list[Any], control: Any,
                 alternative: str) -> None:
        numpy = _import("numpy")
        counts = numpy.array([one.size for one in samples])
        self._df = counts.sum() + control.size - len(samples) - 1
        squares = sum(((one - one.mean()) ** 2).sum()
                      for one in (*samples, control))
        self._error = numpy.sqrt(squares / self._df * (
            1 / counts + 1 / control.size))
        self._difference = numpy.array(
            [one.mean() for one in samples]) - control.mean()
        self._loads = numpy.sqrt(counts / (counts + control.size))
        self._alternative = alternative
        self.statistic = self._difference / self._error
        self.pvalue = numpy.clip([1 - self._inside(one) for one in {
            "two-sided": abs(self.statistic), "greater": self.statistic,
            "less": -self.statistic}[alternative]], 0, 1)

    def _inside(self, reach: float) -> float:
        return _within(reach, self._df, self._loads, self._alternative)

    def confidence_interval(self, confidence_level: float = 0.95) -> Any:
        numpy = _import("numpy")
        if not 0 < confidence_level < 1:
            raise ValueError("Confidence level must be between 0 and 1.")
        least = 0 if self._alternative == "two-sided" else -50
        far = _import("scipy.optimize").brentq(
            lambda reach: self._inside(reach) - confidence_level, least, 500)
        low = self._difference - far * self._error
        high = self._difference + far * self._error
        return _Interval(
            numpy.full_like(low, -numpy.inf)
            if self._alternative == "less" else low,
            numpy.full_like(high, numpy.inf)
            if self._alternative == "greater" else high)

    def __str__(self) -> str:
        low, high = self.confidence_interval()
        rows = zip(self.statistic, self.pvalue, low, high)
        return "\n".join([
            "Dunnett's test (95.0% Confidence Interval)",
            "Comparison               Statistic  p-value  Lower CI  Upper CI",
            *(f" (Sample {place} - Control) {one[0]:>10.3f}" +
              "".join(f"{value:>10.3f}" for value in one[1:])
              for place, one in enumerate(rows)), ""])

    __repr__ = __str__


def _dunnett(*samples: Any, control: Any, alternative: str = "two-sided",
             random_state: Any = None, rng: Any = None) -> DunnettResult:
    """Compare the means of samples with that of a control."""
    numpy = _import("numpy")
    arrays = [numpy.asarray(one, float) for one in (*samples, control)]
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError("alternative must be 'less', 'greater' or "
                         "'two-sided'")
    if any(one.ndim != 1 or not one.size for one in arrays):
        raise ValueError("All samples must be 1D arrays of at least one "
                         "observation")
    return DunnettResult(arrays[:-1], arrays[-1], alternative)


# -- ecdf()

class EmpiricalDistributionFunction:
    """Shares of a sample at its values: a step at each."""

    def __init__(self, quantiles: Any, probabilities: Any, left: int,
                 at_risk: Any) -> None:
        self.quantiles, self.probabilities = quantiles, probabilities
        self._left, self._at_risk = left, at_risk

    def evaluate(self, x: Any) -> Any:
        numpy = _import("numpy")
        places = numpy.searchsorted(self.quantiles, x, side="right")
        found = numpy.append(self._left, self.probabilities)[places]
        return found[()]

    def plot(self, ax: Any = None, **matplotlib_kwargs: Any) -> Any:
        numpy = _import("numpy")
        if ax is None:
            ax = _import("matplotlib.pyplot").gca()
        options = {"where": "post", **matplotlib_kwargs}
        margin = 0.05 * (numpy.ptp(self.quantiles) or 1)
        x = numpy.concatenate([self.quantiles[:1] - margin, self.quantiles,
                               self.quantiles[-1:] + margin])
        return ax.step(x, self.evaluate(x), **options)

    def confidence_interval(self, confidence_level: float = 0.95, *,
                            method: str = "linear") -> Any:
        """Greenwood's, for each step."""
        numpy, norm = _import("numpy"), _import("scipy.stats").norm
        gone = -numpy.diff(self._at_risk, append=0)
        rest = self._at_risk - gone
        sf = rest / self._at_risk[0]
        with numpy.errstate(divide="ignore", invalid="ignore"):
            terms = numpy.cumsum(gone / (self._at_risk * rest))
            z = norm.isf((1 - confidence_level) / 2)
            if method == "log-log":
                error = z * numpy.sqrt(terms) / numpy.log(sf)
                low, high = sf ** numpy.exp(-error), sf ** numpy.exp(error)
            else:
                error = z * sf * numpy.sqrt(terms)
                low, high = sf - error, sf + error
        if not self._left:
            low, high = 1 - high, 1 - low
        return _Interval(*(EmpiricalDistributionFunction(
            self.quantiles, one.clip(0, 1), self._left, self._at_risk)
            for one in (low, high)))


class ECDFResult:
    def __init__(self, cdf: Any, sf: Any) -> None:
        self.cdf, self.sf = cdf, sf


def _ecdf(sample: Any) -> ECDFResult:
    """The empirical distribution of a sample, and what is above."""
    numpy = _import("numpy")
    sample = numpy.asarray(sample, float)
    if sample.ndim != 1 or not sample.size:
        raise ValueError("`sample` must be one-dimensional and not empty")
    x, counts = numpy.unique(sample, return_counts=True)
    reached = numpy.cumsum(counts)
    at_risk = sample.size - reached + counts
    return ECDFResult(*(EmpiricalDistributionFunction(
        x, shares, left, at_risk) for shares, left in
        ((reached / sample.size, 0), (1 - reached / sample.size, 1))))


def _change_stats(stats: Any) -> None:
    add(stats, dunnett=_dunnett, ecdf=_ecdf)


# -- MSTL

class MSTL:
    """Seasons of several periods: STL for one after the other, again."""

    def __init__(self, endog: Any, *, periods: Any = None, windows: Any = None,
                 lmbda: Any = None, iterate: int = 2,
                 stl_kwargs: Any = None) -> None:
        numpy = _import("numpy")
        self.endog, self.lmbda, self.iterate = endog, lmbda, iterate
        self.nobs = len(endog)
        if periods is None:
            periods = [_import("statsmodels.tsa.tsatools").freq_to_period(
                endog.index.inferred_freq)]
        periods = [periods] if numpy.ndim(periods) == 0 else list(periods)
        if windows is None:
            windows = [7 + 4 * place for place in range(1, len(periods) + 1)]
        windows = [windows] if numpy.ndim(windows) == 0 else list(windows)
        if len(periods) != len(windows):
            raise ValueError("Periods and windows must have same length")
        pairs = [(period, window) for period, window in
                 sorted(zip(periods, windows)) if period < self.nobs / 2]
        self.periods = tuple(period for period, _ in pairs)
        self.windows = tuple(window for _, window in pairs)
        self._stl_kwargs = dict(stl_kwargs or {})

    def _observed(self) -> Any:
        y = _import("numpy").asarray(self.endog, float).ravel()
        boxcox = _import("scipy.stats").boxcox
        if self.lmbda == "auto":
            y, self.est_lmbda = boxcox(y)
        elif self.lmbda is not None:
            y = boxcox(y, self.lmbda)
        return y

    def fit(self) -> Any:
        numpy = _import("numpy")
        seasons = _import("statsmodels.tsa.seasonal")
        y, options = self._observed(), dict(self._stl_kwargs)
        loops = {name: options.pop(name) for name in
                 ("inner_iter", "outer_iter") if name in options}
        seasonal, rest = numpy.zeros((len(self.periods), self.nobs)), y
        for _ in range(self.iterate if len(self.periods) > 1 else 1):
            for place, period in enumerate(self.periods):
                rest = rest + seasonal[place]
                found = seasons.STL(rest, period=period, seasonal=self.windows[
                    place], **options).fit(**loops)
                seasonal[place] = found.seasonal
                rest = rest - seasonal[place]
        return self._result(seasons, y, seasonal, found, rest)

    def _result(self, seasons: Any, y: Any, seasonal: Any, found: Any,
                rest: Any) -> Any:
        parts = {"observed": y, "trend": found.trend,
                 "resid": rest - found.trend, "robust_weight": found.weights}
        numpy, pandas = _import("numpy"), _import("pandas")
        seasonal = numpy.squeeze(seasonal.T)
        index = getattr(self.endog, "index", None)
        if hasattr(index, "dtype"):
            parts = {name: pandas.Series(one, index, name=name)
                     for name, one in parts.items()}
            seasonal = pandas.Series(seasonal, index, name="seasonal") if \
                seasonal.ndim == 1 else pandas.DataFrame(
                    seasonal, index, [f"seasonal_{period}"
                                      for period in self.periods])
        return seasons.DecomposeResult(
            parts["observed"], seasonal, parts["trend"], parts["resid"],
            parts["robust_weight"])


def _plot_all(self: Any, observed: bool = True, seasonal: bool = True,
              trend: bool = True, resid: bool = True,
              weights: bool = False) -> Any:
    """DecomposeResult.plot() with an axis for each of several seasons."""
    pyplot = _import("matplotlib.pyplot")
    rows = [(self.observed, "Observed")] if observed else []
    rows += [(self.trend, "trend")] if trend else []
    rows += [(self.seasonal[name], name) for name in self.seasonal] if \
        seasonal else []
    rows += [(self.resid, "resid")] if resid else []
    rows += [(self.weights, "weights")] if weights else []
    figure, axes = pyplot.subplots(len(rows), 1, sharex=True, squeeze=False)
    for ax, (values, name) in zip(axes[:, 0], rows):
        if name == "resid":
            ax.plot(values, marker="o", linestyle="none")
            ax.axhline(0, color="#000000", zorder=-3)
        else:
            ax.plot(values)
        ax.set_ylabel(name.capitalize() if name != "Observed" else "y")
    figure.tight_layout()
    return figure


def _change_seasons(module: Any) -> None:
    if hasattr(module, "MSTL"):
        return
    add(module, MSTL=MSTL)
    plain = module.DecomposeResult.plot

    def plot(self: Any, *args: Any, **options: Any) -> Any:
        several = hasattr(self.seasonal, "columns")
        return (_plot_all if several else plain)(self, *args, **options)

    replace(module.DecomposeResult, "plot", plot)


when_imported({
    "scipy.stats": _change_stats,
    "statsmodels.tsa.seasonal": _change_seasons,
    "statsmodels.tsa.api": lambda module: add(module, MSTL=MSTL),
})
