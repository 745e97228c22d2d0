# Random problems: the conditions of optimality, and all whole points.
# expect: success
# needs: cvxopt scipy
# stdout: "24 quadratic, 8 whole, 12 cones, wrong: []\n"
# cut
import itertools

import cvxpy as cp
import numpy as np

rng = np.random.default_rng(7)
wrong = []


def quadratic(number):
    """The gradient of Lagrange's function is zero."""
    F, q = rng.normal(size=(3, 4)), rng.normal(size=4)
    G, h, a = rng.normal(size=(3, 4)), rng.normal(size=3) + 1, np.ones(4)
    P = F.T @ F
    x = cp.Variable(4)
    way = rng.choice([-1, 1])
    limits = [G @ x <= h, a @ x == 0.5, x >= -2, x <= 2]
    cost = cp.quad_form(x, P) / 2 + q @ x
    problem = cp.Problem(cp.Minimize(cost) if way > 0 else
                         cp.Maximize(-cost), limits)
    problem.solve()
    if problem.status != "optimal":
        empty = cp.Problem(cp.Minimize(0), limits)
        empty.solve()
        return empty.status == problem.status == "infeasible"
    below, sums, low, high = (one.dual_value for one in limits)
    slope = P @ x.value + q + G.T @ below + a * sums - low + high
    slack = below @ (G @ x.value - h)
    return abs(slope).max() < 1e-6 and abs(slack) < 1e-6 and \
        min(below.min(), low.min(), high.min()) > -1e-9


def whole(number):
    """No whole point is better."""
    F, c = rng.normal(size=(3, 3)), rng.normal(size=3) * 2
    z = cp.Variable(3, integer=True)
    cost = cp.sum_squares(F @ z - c) if number % 2 else cp.norm(F @ z - c)
    found = cp.Problem(cp.Minimize(cost),
                       [cp.abs(z) <= 2, cp.sum(z) >= 1]).solve()
    points = [np.linalg.norm(F @ np.array(point) - c)
              for point in itertools.product(range(-2, 3), repeat=3)
              if sum(point) >= 1]
    return abs(found - min(points) ** (1 + number % 2)) < 1e-5


def cone(number):
    """No point nearby is better, by the multipliers."""
    A, b = rng.normal(size=(4, 3)), rng.normal(size=4)
    x = cp.Variable(3)
    costs = [cp.norm(A @ x - b), cp.max(cp.abs(A @ x - b)),
             cp.log_sum_exp(A @ x), cp.sum(cp.exp(A @ x - b)),
             -cp.sum(cp.sqrt(A @ x + 4)), cp.sum_largest(A @ x - b, 2)]
    cost = costs[number % len(costs)]
    limits = [cp.norm(x, 1) <= 1.5, cp.sum(x) == 0.3]
    cp.Problem(cp.Minimize(cost), limits).solve()
    best = x.value
    near, total = (one.dual_value for one in limits)

    def lagrange(point):
        x.value = point
        return cost.value + near * (np.abs(point).sum() - 1.5) + \
            total * (point.sum() - 0.3)

    least = lagrange(best)
    others = [lagrange(best + step) for step in
              rng.normal(size=(30, 3)) * 0.1]
    return min(others) > least - 1e-5 and near > -1e-9


for name, check, count in (("quadratic", quadratic, 24),
                           ("whole", whole, 8), ("cone", cone, 12)):
    wrong += [(name, number) for number in range(count)
              if not check(number)]
print("24 quadratic, 8 whole, 12 cones, wrong:", wrong)
