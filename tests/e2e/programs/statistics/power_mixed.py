# expect: success
# stdout-has: ["n = 64", "Tukey", "logit ok"]
# stderr-like: .*
# needs: numpy pandas statsmodels
# cut
import numpy as np, pandas as pd
from statsmodels.stats.power import TTestIndPower
from statsmodels.stats.multicomp import pairwise_tukeyhsd
import statsmodels.formula.api as smf
import math
print("n =", math.ceil(TTestIndPower().solve_power(effect_size=.5, power=.8, alpha=.05)))
rng = np.random.default_rng(0); g = np.repeat(list("abc"), 20); y = rng.normal(size=60) + (g == "c")
print("Tukey"); print(pairwise_tukeyhsd(y, g))
d = pd.DataFrame({"y": (y > .3).astype(int), "g": g, "x": rng.normal(size=60)})
m = smf.logit("y ~ x + C(g)", d).fit(disp=0); print("logit ok", len(m.params)); print(np.exp(m.params).shape)
