# expect: failure
# error: ModuleNotFoundError
# told: ["cvxpy", "scipy"]
# without: cvxpy
# cut
import cvxpy as cp
import numpy as np

w = cp.Variable(3)
prob = cp.Problem(cp.Minimize(cp.quad_form(w, np.eye(3))), [cp.sum(w) == 1])
prob.solve()
print(w.value)
