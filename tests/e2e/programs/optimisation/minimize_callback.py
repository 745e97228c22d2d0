# A callback of minimize() takes an intermediate_result, and may end the search
# by StopIteration, as of scipy 1.11.
# expect: success
# needs: scipy
# final: [["BFGS", true, true], ["Nelder-Mead", true, true],
#    ["trust-constr", true, true], [99, 3, false, true,
#    "`callback` raised `StopIteration`."], [99, true, true], [5, true, true]]
# cut
import numpy as np
from scipy.optimize import minimize, rosen, rosen_der

found = []
for method in ("BFGS", "Nelder-Mead", "trust-constr"):
    values = []

    def callback(intermediate_result):
        values.append(intermediate_result.fun)
        assert rosen(intermediate_result.x) == intermediate_result.fun

    result = minimize(rosen, [-1.2, 1.5], method=method, callback=callback)
    found.append([method, len(values) >= 10,
                  bool(np.isclose(values[-1], result.fun, atol=1e-3))])


class Third:
    count = 0

    def __call__(self, intermediate_result):
        self.count += 1
        if self.count == 3:
            raise StopIteration


def stop(xk):
    raise StopIteration


result = minimize(lambda x, a: (rosen(x) + a, rosen_der(x)), [-1.2, 1.5], 2,
                  "L-BFGS-B", True, callback=Third())
found.append([result.status, result.nit, result.success,
              bool(result.fun == rosen(result.x) + 2), result.message])
result = minimize(rosen, [0, 0], method="Nelder-Mead", callback=stop)
found.append([result.status, result.nit < 3, result.x.shape == (2,)])
path = []
result = minimize(rosen, [0, 0], callback=lambda xk: path.append(xk.copy()),
                  options={"maxiter": 5})
found + [[len(path), not result.success, bool(rosen(path[-1]) < 1)]]
