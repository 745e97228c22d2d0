# expect: success
# needs: statsmodels pandas
# stdout-has: ["OLS Regression Results", "R-squared", "Intercept", "temp"]
# stderr-like: .*
# cut
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

rng = np.random.default_rng(3)
df = pd.DataFrame({'temp': rng.uniform(10, 30, 50),
                   'day': rng.choice(['wk', 'we'], 50)})
df['sales'] = 20 + 3 * df.temp + (df.day == 'we') * 10 + rng.normal(0, 2, 50)
model = smf.ols('sales ~ temp + C(day)', data=df).fit()
print(model.summary())
print(sm.stats.anova_lm(model, typ=2))
