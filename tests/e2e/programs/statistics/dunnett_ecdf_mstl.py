# dunnett() and ecdf() of scipy 1.11, and MSTL of statsmodels 0.14. The
# p-values are those of the library's own example.
# expect: success
# needs: scipy statsmodels
# final: [[0.62, 0.006], [true, false], true, true, [0.2, 0.6], 0.4,
#    ["seasonal_7", "seasonal_28"], true, 5]
# stdout-like: Dunnett's test \(95\.0% Confidence Interval\)
# cut
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.tsa.seasonal import MSTL

a = [9.76, 8.80, 7.68, 9.36]
b = [12.80, 9.68, 12.16, 9.20, 10.55]
control = [7.40, 8.50, 7.20, 8.24, 9.84, 8.32]
test = stats.dunnett(a, b, control=control)
print(test)
low, high = test.confidence_interval()
one = stats.dunnett(a, control=control, alternative="less").pvalue[0]
same = stats.ttest_ind(a, control, alternative="less").pvalue
shares = stats.ecdf([6.23, 5.58, 7.06, 6.42, 5.20])

t = np.arange(300)
week, month = np.sin(t * 2 * np.pi / 7), 2 * np.cos(t * 2 * np.pi / 28)
y = pd.Series(0.1 * t + week + month,
              pd.date_range("2024-01-01", periods=300, freq="D"))
parts = MSTL(y, periods=(7, 28)).fit()
figure = parts.plot()
rows = len(figure.axes)
plt.close("all")
[test.pvalue.round(3).tolist(), (low < 0).tolist(), bool((low < high).all()),
 bool(abs(one - same) < 1e-3), shares.cdf.evaluate([5.3, 6.3]).tolist(),
 round(float(shares.sf.evaluate(6.3)), 3), list(parts.seasonal.columns),
 bool(abs(parts.resid).max() < 0.2 and
      abs(parts.seasonal["seasonal_7"] - week).max() < 0.2), rows]
