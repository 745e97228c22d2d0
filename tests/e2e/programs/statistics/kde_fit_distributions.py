# expect: success
# needs: scipy numpy
# stdout: "gamma\nTrue\n"
# cut
import numpy as np
from scipy import stats

np.random.seed(1)
data = np.random.gamma(2.0, 3.0, 500)
best = {}
for name in ['gamma', 'norm', 'expon']:
    dist = getattr(stats, name)
    params = dist.fit(data)
    best[name] = stats.kstest(data, name, args=params).statistic
print(min(best, key=best.get))
kde = stats.gaussian_kde(data)
print(bool(abs(kde.integrate_box_1d(-50, 100) - 1) < 1e-6))
