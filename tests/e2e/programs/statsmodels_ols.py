# expect: success
# needs: statsmodels
# final: [1.0, 2.0]
import numpy as np
import statsmodels.api as sm
x = np.arange(10.0)
fit = sm.OLS(1 + 2 * x, sm.add_constant(x)).fit()
fit.params.round(6)
