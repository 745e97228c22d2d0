# Customers that leave: a model of several covariates, and predictions.
# expect: success
# stdout: "<lifelines.CoxPHFitter: fitted with 200 total observations, 76
#     right-censored observations>\nTrue ['coef', 'exp(coef)', 'se(coef)']
#     [True, True]\n(3, 2) True True\nTrue\n0.5 [1.0, 0.75, 0.25] 2.0\n[0.0,
#     0.3333, 0.8333, 1.8333]\n<lifelines.CoxPHFitter: fitted with 200 total
#     observations, 76 right-censored observations>\n             duration col
#     = 'months'\n                event col = 'left'\n      baseline
#     estimation = breslow\n   number of observations = 200\nnumber of events
#     observed = 124\n   partial log-likelihood = -544.30\n\n---\n         
#     coef\ncovariate     \nprice     0.52\ncalls     0.16\n\n              
#     p\ncovariate       \nprice     <0.005\ncalls      
#     0.01\n---\nConcordance = 0.64\nPartial AIC = 1092.59\nlog-likelihood
#     ratio test = 33.68 on 2 df\n-log2(p) of ll-ratio test =
#     24.29\nNotImplementedError CoxPHFitter.check_assumptions is not
#     her\nTypeError DataFrame contains nonnumeric columns: [\n"
# cut
import contextlib
import io

import numpy as np
import pandas as pd
from lifelines import CoxPHFitter, KaplanMeierFitter, NelsonAalenFitter
from lifelines.utils import concordance_index, median_survival_times

rng = np.random.RandomState(4)
n = 200
df = pd.DataFrame({"price": rng.randn(n), "calls": rng.poisson(2, n)})
months = np.ceil(rng.exponential(
    12 * np.exp(-0.5 * df["price"] - 0.2 * df["calls"])))
seen = rng.randint(1, 24, n)
df["months"] = np.minimum(months, seen)
df["left"] = (months <= seen).astype(int)

cph = CoxPHFitter().fit(df, "months", "left")
print(cph)
print((cph.params_ > 0).all(), list(cph.summary.columns)[:3],
      (cph.summary["p"] < 0.05).tolist())
new = pd.DataFrame({"price": [-1.0, 1.0], "calls": [0, 5]})
curves = cph.predict_survival_function(new, times=[0, 6, 12])
print(curves.shape, (curves[0] >= curves[1]).all(),
      cph.predict_median(new).is_monotonic_decreasing)
print(concordance_index(df["months"], -cph.predict_partial_hazard(df),
                        df["left"]) == cph.concordance_index_)
kmf = KaplanMeierFitter().fit([1, 2, 3, 4], [1, 1, 1, 0])
print(kmf.predict(2.5), kmf.predict([0, 1, 9]).round(9).tolist(),
      median_survival_times(kmf.survival_function_))
naf = NelsonAalenFitter().fit([1, 2, 3])
print(naf.cumulative_hazard_["NA_estimate"].round(4).tolist())
out = io.StringIO()
with contextlib.redirect_stdout(out):
    cph.print_summary(columns=["coef", "p"])
for line in out.getvalue().splitlines():
    if "time fit was run" not in line:
        print(line)
for wrong in (lambda: cph.check_assumptions(df),
              lambda: CoxPHFitter().fit(df.assign(plan="a"), "months")):
    try:
        wrong()
    except (NotImplementedError, TypeError) as error:
        print(type(error).__name__, str(error)[:40])
