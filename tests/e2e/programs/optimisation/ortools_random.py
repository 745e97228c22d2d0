# Random models against all values.
# expect: success
# needs: pycryptosat scipy
# stdout: "80 True\n"
# cut
import itertools
import random

from ortools.sat.python import cp_model


def model_of(dice):
    model = cp_model.CpModel()
    xs = [model.new_int_var(dice.randint(-2, 0), dice.randint(1, 3), f"x{i}")
          for i in range(3)]
    bs = [model.new_bool_var(f"b{i}") for i in range(2)]
    tests = []

    def add(constraint, holds):
        constraint()
        tests.append(holds)

    a, b, c = (dice.randint(-3, 3) for _ in range(3))
    kinds = [
        (lambda: model.add(a * xs[0] + b * xs[1] + xs[2] <= c)
         .only_enforce_if(bs[0]),
         lambda x, t: not t[0] or a * x[0] + b * x[1] + x[2] <= c),
        (lambda: model.add(xs[0] - 2 * xs[1] != c).only_enforce_if(~bs[1]),
         lambda x, t: t[1] or x[0] - 2 * x[1] != c),
        (lambda: model.add_all_different(xs[0], xs[1] + 1, xs[2]),
         lambda x, t: len({x[0], x[1] + 1, x[2]}) == 3),
        (lambda: model.add_max_equality(xs[0], xs[1:]),
         lambda x, t: x[0] == max(x[1:])),
        (lambda: model.add_abs_equality(xs[0] + 1, xs[1]),
         lambda x, t: x[0] + 1 == abs(x[1])),
        (lambda: model.add_multiplication_equality(xs[2], xs[0], xs[1]),
         lambda x, t: x[2] == x[0] * x[1]),
        (lambda: model.add_element(xs[0], [xs[1], 1, -1], xs[2]),
         lambda x, t: 0 <= x[0] < 3 and [x[1], 1, -1][x[0]] == x[2]),
        (lambda: model.add_bool_or(bs[0], ~bs[1]),
         lambda x, t: t[0] or not t[1]),
        (lambda: model.add_no_overlap(
            [model.new_interval_var(xs[0], 2, xs[0] + 2, ""),
             model.new_optional_interval_var(xs[1], 1, xs[1] + 1, bs[0], "")]),
         lambda x, t: not t[0] or x[0] + 2 <= x[1] or x[1] + 1 <= x[0]),
        (lambda: model.add_cumulative(
            [model.new_interval_var(x, 2, x + 2, "") for x in xs],
            [1, 2, 1], 3),
         lambda x, t: all(sum(d for y, d in zip(x, [1, 2, 1])
                              if y <= s < y + 2) <= 3 for s in x)),
        (lambda: model.add_allowed_assignments(
            xs[:2], [(a, b), (b, c), (0, 1), (1, 0)]),
         lambda x, t: (x[0], x[1]) in [(a, b), (b, c), (0, 1), (1, 0)]),
    ]
    for constraint, holds in dice.sample(kinds, 2):
        add(constraint, holds)
    weights = [dice.randint(-3, 3) for _ in range(5)]
    model.maximize(sum(w * v for w, v in zip(weights, xs + bs)))
    ranges = [range(v.domain.min(), v.domain.max() + 1) for v in xs]
    worths = [sum(w * v for w, v in zip(weights, point))
              for point in itertools.product(*ranges, (0, 1), (0, 1))
              if all(holds(point[:3], point[3:]) for holds in tests)]
    return model, max(worths, default=None)


counts = {"OPTIMAL": 0, "INFEASIBLE": 0}
for seed in range(80):
    model, best = model_of(random.Random(seed))
    solver = cp_model.CpSolver()
    name = solver.status_name(solver.solve(model))
    counts[name] += 1
    assert (name == "INFEASIBLE") == (best is None), (seed, name, best)
    assert best is None or solver.objective_value == best, (seed, best)
print(sum(counts.values()), min(counts.values()) > 0)
