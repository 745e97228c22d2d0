# The hint for a name that a part of a library lacks says which are there.
# needs: scipy
# without: lifelines.fitters
# expect: failure
# error: ImportError
# told: ["lifelines.WeibullFitter is not here; KaplanMeierFitter,",
#    "scipy.optimize.minimize"]
# line: 9
from lifelines import CoxPHFitter, WeibullFitter
