# Regression, matrices and logarithms: each result has a known other form.
# expect: success
# needs: cvxopt scipy
# stdout: "least squares True True\nlasso 3\nnorm 1 True\nnorm inf True\nnorm 2
#     True\nhuber True\neigenvalue True\nnearest PSD True\ndice 1.6136 [0.0544
#     0.0788 0.1142 0.1654 0.2398 0.3475]\nwater [0.5333 0.3333
#     0.1333]\nlogistic True\nbox 2.0\ncvxpy.ExpCone is not here; instead take
#     exp, log, entr and rel_entr\n"
# cut
import cvxpy as cp
import numpy as np

rng = np.random.default_rng(4)
A = rng.normal(size=(30, 4))
b = A @ [1.0, -2.0, 0.0, 0.5] + 0.1 * rng.normal(size=30)
x = cp.Variable(4)


def best(expr, limits=(), sense=cp.Minimize):
    problem = cp.Problem(sense(expr), list(limits))
    problem.solve()
    assert problem.status == cp.OPTIMAL, problem.status
    return problem.value


least = best(cp.sum_squares(A @ x - b))
exact = np.linalg.lstsq(A, b, rcond=None)
print("least squares", np.allclose(x.value, exact[0]),
      np.isclose(least, exact[1][0]))
best(cp.norm(A @ x - b, 2) + 3 * cp.norm1(x))
print("lasso", int((abs(x.value) > 1e-4).sum()))
dual = cp.Variable(30)
for p, q in ((1, "inf"), ("inf", 1), (2, 2)):
    one = best(cp.norm(A @ x - b, p))
    two = best(b @ dual, [A.T @ dual == 0, cp.norm(dual, q) <= 1],
               cp.Maximize)
    print("norm", p, np.isclose(one, two, atol=1e-5))
spoilt = b + 20.0 * (np.arange(30) == 3)
best(cp.sum(cp.huber(A @ x - spoilt, 0.2)))
print("huber", abs(x.value - exact[0]).max() < 0.1)

C = rng.normal(size=(4, 4))
C = C + C.T
X = cp.Variable((4, 4), PSD=True)
eigen = best(cp.trace(C @ X), [cp.trace(X) == 1])
print("eigenvalue", np.isclose(eigen, np.linalg.eigvalsh(C)[0]))
S = cp.Variable((4, 4), symmetric=True)
near = best(cp.norm(S - C, "fro"), [S >> 0])
print("nearest PSD", np.isclose(near, np.linalg.norm(
    np.minimum(np.linalg.eigvalsh(C), 0)), atol=1e-5))

p = cp.Variable(6)
faces = np.arange(1, 7)
entropy = best(cp.sum(cp.entr(p)), [cp.sum(p) == 1, faces @ p == 4.5],
               cp.Maximize)
print("dice", round(entropy, 4), p.value.round(4))
power = cp.Variable(3, nonneg=True)
best(cp.sum(cp.log(np.array([0.8, 1.0, 1.2]) + power)),
     [cp.sum(power) == 1], cp.Maximize)
print("water", power.value.round(4))
y = (A[:, 0] > 0).astype(float)
fit = best(cp.sum(cp.logistic(A @ x) - cp.multiply(y, A @ x)) +
           cp.sum_squares(x))
slope = A.T @ (1 / (1 + np.exp(-A @ x.value)) - y) + 2 * x.value
print("logistic", abs(slope).max() < 1e-4)
sides = cp.Variable(3)
print("box", round(best(cp.geo_mean(sides), [cp.sum(sides) <= 6],
                        cp.Maximize), 4))
try:
    cp.ExpCone
except AttributeError as error:
    print(error)
