# expect: success
# needs: scipy
# stdout: "True [1.0, 1.0]\n[1.0, 1.0]\n1.2599\n[2.5, 1.3]\n"
# cut
from scipy.optimize import (brentq, curve_fit, differential_evolution,
                            minimize)
import numpy as np

rosen = lambda v: (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2
res = minimize(rosen, [0, 0], method='SLSQP',
               constraints={'type': 'ineq',
                            'fun': lambda v: 2 - v[0] - v[1]})
print(res.success, [round(float(v), 2) for v in res.x])
de = differential_evolution(rosen, [(-2, 2)] * 2, seed=1, workers=1)
print(de.x.round(2).tolist())
print(round(brentq(lambda t: t ** 3 - 2, 0, 2), 4))
xs = np.linspace(0, 4, 20)
popt, _ = curve_fit(lambda x, a, b: a * np.exp(-b * x), xs,
                    2.5 * np.exp(-1.3 * xs))
print(popt.round(2).tolist())
