# expect: success
# needs: scipy
# stdout: "0 36.0 [2.0, 6.0]\n20.0 [0.0, 1.0, 1.0]\n"
# cut
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

res = linprog(c=[-3, -5], A_ub=[[1, 0], [0, 2], [3, 2]], b_ub=[4, 12, 18],
              method='highs')
print(res.status, round(-res.fun, 3), res.x.round(3).tolist())
knap = milp(c=-np.array([10, 13, 7]), integrality=np.ones(3),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint([[3, 4, 2]], ub=6))
print(-knap.fun, knap.x.round().tolist())
