# Survival in two groups of a trial of 1963, with Cox's model.
# expect: success
# files-kinds: {"survival.png": "png"}
# stdout: "drug 23.0 (17, 5)\n{0.0: 1.0, 6.0: 0.857, 7.0: 0.807}\n[0.62,
#     0.952]\nplacebo 8.0 (13, 5)\n{0.0: 1.0, 1.0: 0.905, 2.0: 0.81, 3.0:
#     0.762, 4.0: 0.667, 5.0: 0.571, 8.0: 0.381}\n[0.67, 0.975]\n16.79
#     4.17e-05\n16.79\n[{'coef': 1.5721, 'exp(coef)': 4.8169, 'se(coef)':
#     0.4124, 'p': 0.0001}]\n4.817 0.69 -85.008\n"
# cut
import matplotlib.pyplot as plt
import pandas as pd
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.statistics import logrank_test, multivariate_logrank_test

drug = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32,
        34, 35]
ended = [1] * 9 + [0] * 12
placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22,
           23]
df = pd.DataFrame({"weeks": drug + placebo, "relapse": ended + [1] * 21,
                   "placebo": [0] * 21 + [1] * 21})

ax = plt.subplot(111)
kmf = KaplanMeierFitter()
for name, rows in df.groupby("placebo"):
    kmf.fit(rows["weeks"], rows["relapse"],
            label="placebo" if name else "drug")
    kmf.plot_survival_function(ax=ax)
    print(kmf.label, kmf.median_survival_time_, kmf.event_table.shape)
    print(kmf.survival_function_.round(3).loc[:8, kmf.label].to_dict())
    print(kmf.confidence_interval_.round(3).iloc[1].tolist())
plt.savefig("survival.png")

test = logrank_test(drug, placebo, event_observed_A=ended)
print(round(test.test_statistic, 2), f"{test.p_value:.2e}")
both = multivariate_logrank_test(df["weeks"], df["placebo"], df["relapse"])
print(round(both.test_statistic, 2))
cph = CoxPHFitter()
cph.fit(df, duration_col="weeks", event_col="relapse")
print(cph.summary[["coef", "exp(coef)", "se(coef)", "p"]].round(4)
      .to_dict("records"))
print(cph.hazard_ratios_["placebo"].round(3),
      round(cph.concordance_index_, 3), round(cph.log_likelihood_, 3))
