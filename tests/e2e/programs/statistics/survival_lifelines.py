# expect: failure
# error: ModuleNotFoundError
# told: ["lifelines", "statsmodels"]
# without: lifelines
# cut
from lifelines import KaplanMeierFitter

kmf = KaplanMeierFitter()
kmf.fit([5, 6, 6, 2, 4], event_observed=[1, 0, 1, 1, 1])
print(kmf.median_survival_time_)
