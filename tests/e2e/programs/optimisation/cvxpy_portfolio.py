# The efficient frontier by a parameter; then at most two shares.
# expect: success
# needs: cvxopt scipy
# stdout: "  0.1 optimal return 0.0780 risk 0.1766 [0.0, 0.6, 0.0, 0.4]\n    1
#     optimal return 0.0711 risk 0.1453 [0.0, 0.436, 0.203, 0.361]\n   10
#     optimal return 0.0443 risk 0.0830 [0.565, 0.092, 0.146, 0.197]\nleast
#     risk 0.01243 [0.227 0.289 0.185 0.298] 0.6064\ntwo of them 0.0185
#     ['bonds', 'shares']\nTrue CONVEX Expression(AFFINE, UNKNOWN, ())
#     Expression(AFFINE, UNKNOWN, (2,))\n"
# cut
import cvxpy as cp
import numpy as np

names = ["bonds", "shares", "gold", "land"]
mu = np.array([0.03, 0.09, 0.05, 0.06])
sigma = np.array([[0.010, 0.002, 0.001, 0.001],
                  [0.002, 0.060, 0.004, 0.010],
                  [0.001, 0.004, 0.040, 0.002],
                  [0.001, 0.010, 0.002, 0.030]])

w = cp.Variable(4)
gamma = cp.Parameter(nonneg=True)
ret = mu @ w
risk = cp.quad_form(w, sigma)
prob = cp.Problem(cp.Maximize(ret - gamma * risk),
                  [cp.sum(w) == 1, w >= 0, w <= 0.6])
for value in (0.1, 1, 10):
    gamma.value = value
    prob.solve(solver=cp.ECOS)
    print(f"{value:5} {prob.status} return {ret.value:.4f} "
          f"risk {np.sqrt(risk.value):.4f}",
          abs(w.value).round(3).tolist())

floor = mu @ w >= 0.06
least = cp.Problem(cp.Minimize(risk), [cp.sum(w) == 1, w >= 0, floor])
least.solve()
exact = round(float(floor.dual_value), 4)
print("least risk", round(least.value, 5), w.value.round(3), exact)

chosen = cp.Variable(4, boolean=True)
few = cp.Problem(cp.Minimize(risk), [*least.constraints, w <= chosen,
                                     cp.sum(chosen) <= 2])
few.solve(solver=cp.SCIP)
print("two of them", round(few.value, 5),
      [name for name, v in zip(names, chosen.value) if v > 0.5])
print(prob.is_dcp(), risk.curvature, repr(ret), repr(w[1:3]))
