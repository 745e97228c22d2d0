# Words of scipy 1.11 to 1.15: rng=, a t-test's interval, adjusted p-values.
# expect: success
# needs: scipy statsmodels
# final: [38.0, true, true, [0.03, 0.03, 0.03, 0.2], true, true, 0.0, 0.5,
#    true]
# cut
import numpy as np
from scipy import optimize, stats
from statsmodels.stats.power import TTestIndPower

values = np.random.default_rng(0)
a, b = values.normal(0, 1, 20), values.normal(1, 1, 20)
test = stats.ttest_ind(a, b)
low, high = test.confidence_interval(0.95)
welch = stats.ttest_ind(a, b, equal_var=False)
t, p = welch
draws = [stats.bootstrap((a,), np.mean, n_resamples=99, rng=7,
                         method="basic").confidence_interval
         for _ in range(2)]
found = optimize.differential_evolution(lambda x: (x[0] - 0.5) ** 2, [(0, 1)],
                                        rng=np.random.default_rng(1))
power = TTestIndPower().solve_power(effect_size=0.5, power=0.8, alpha=0.05)
[float(test.df), bool(low < a.mean() - b.mean() < high),
 bool(30 < welch.df < 38 and p == welch.pvalue),
 stats.false_discovery_control([0.01, 0.02, 0.0225, 0.2]).round(4).tolist(),
 draws[0] == draws[1], bool(63 < power < 65), round(float(found.fun), 6),
 round(float(found.x[0]), 3),
 bool((stats.qmc.Sobol(d=2, rng=1).random(4) == stats.qmc.Sobol(
     d=2, rng=1).random(4)).all())]
