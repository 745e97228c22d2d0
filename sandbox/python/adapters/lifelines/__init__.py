"""lifelines - how long things last: survival curves and hazards.

KaplanMeierFitter, NelsonAalenFitter, CoxPHFitter (ties by Efron), logrank
tests and concordance, for data that are censored on the right. No parametric
models, no strata, weights or data sets.
"""

from __future__ import annotations

from typing import Any

from . import exceptions, plotting, statistics, utils
from .cox import CoxPHFitter
from .univariate import KaplanMeierFitter, NelsonAalenFitter

__version__ = "0.27.8"
__all__ = ["KaplanMeierFitter", "NelsonAalenFitter", "CoxPHFitter",
           "statistics", "utils", "plotting", "exceptions"]
_ABSENT = frozenset(
    "WeibullFitter ExponentialFitter LogNormalFitter LogLogisticFitter "
    "WeibullAFTFitter LogNormalAFTFitter LogLogisticAFTFitter "
    "AalenAdditiveFitter AalenJohansenFitter CoxTimeVaryingFitter "
    "BreslowFlemingHarringtonFitter PiecewiseExponentialFitter "
    "PiecewiseExponentialRegressionFitter GeneralizedGammaFitter "
    "GeneralizedGammaRegressionFitter SplineFitter MixtureCureFitter "
    "CRCSplineFitter ParametricUnivariateFitter calibration "
    "fitters".split())


def __getattr__(name: str) -> Any:
    if name in _ABSENT:
        raise AttributeError(
            f"lifelines.{name} is not here; KaplanMeierFitter, "
            "NelsonAalenFitter, CoxPHFitter and the logrank tests are (for a "
            "distribution: scipy.optimize.minimize of your own likelihood)")
    raise AttributeError(f"module 'lifelines' has no attribute '{name}'")
