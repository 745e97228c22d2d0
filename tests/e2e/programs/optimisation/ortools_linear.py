# Linear programs with duals, mixed-integer ones, and statuses.
# expect: success
# needs: pycryptosat scipy
# stdout: "2 3 labour auto_c_000000001 (x + (2 * y)) <= 14.0\nTrue 34.00 6.0
#     4.0\n[2.3333, 0.0, 0.6667] [0.0, 0.0]\n0 265.0 265.0 [(0, 3), (1, 2),
#     (2, 1), (3, 0)]\nTrue 260.0 [8.0, 20.0, 1.0, 2.0, 4.0] True\nTrue
#     None\nTrue\nNotImplementedError Variable.basis_status is not here;
#     values, duals\nTypeError a linear expression can be multiplied by a
#     numbe\nValueError Operators \"<\" and \">\" not supported with the
#     lin\nNotImplementedError Solver.ExportModelAsLpFormat is not here;
#     values\n"
# cut
from ortools.linear_solver import pywraplp

solver = pywraplp.Solver.CreateSolver("GLOP")
x = solver.NumVar(0, solver.infinity(), "x")
y = solver.NumVar(0, solver.infinity(), "y")
rows = [solver.Add(x + 2 * y <= 14.0, "labour"), solver.Add(3 * x - y >= 0.0),
        solver.Add(x - y <= 2.0)]
solver.Maximize(3 * x + 4 * y)
print(solver.NumVariables(), solver.NumConstraints(), rows[0].name(),
      rows[1].name(), x + 2 * y <= 14.0)
status = solver.Solve()
print(status == pywraplp.Solver.OPTIMAL, f"{solver.Objective().Value():.2f}",
      f"{x.solution_value():.1f} {y.solution_value():.1f}")
print([round(row.dual_value(), 4) for row in rows],
      [round(v.reduced_cost(), 4) + 0.0 for v in (x, y)])

solver = pywraplp.Solver.CreateSolver("SCIP")
costs = [[90, 80, 75, 70], [35, 85, 55, 65], [125, 95, 90, 95],
         [45, 110, 95, 115], [50, 100, 90, 100]]
take = {(i, j): solver.IntVar(0, 1, f"x[{i},{j}]")
        for i in range(5) for j in range(4)}
for i in range(5):
    solver.Add(solver.Sum([take[i, j] for j in range(4)]) <= 1)
for j in range(4):
    solver.Add(solver.Sum([take[i, j] for i in range(5)]) == 1)
solver.Minimize(solver.Sum([costs[i][j] * take[i, j] for i, j in take]))
print(solver.Solve(), solver.Objective().Value(), solver.Objective().BestBound(),
      [key for key, v in take.items() if v.solution_value() > 0.5])

solver = pywraplp.Solver("knapsack",
                         pywraplp.Solver.CBC_MIXED_INTEGER_PROGRAMMING)
z = [solver.IntVar(0.0, solver.infinity(), f"z{j}") for j in range(5)]
coefficients = [[5, 7, 9, 2, 1], [18, 4, -9, 10, 12], [4, 7, 3, 8, 5],
                [5, 13, 16, 3, -7]]
for row, bound in zip(coefficients, [250, 285, 211, 315]):
    constraint = solver.RowConstraint(0, bound, "")
    for j, factor in enumerate(row):
        constraint.SetCoefficient(z[j], factor)
objective = solver.Objective()
for j, factor in enumerate([7, 8, 2, 9, 6]):
    objective.SetCoefficient(z[j], factor)
objective.SetMaximization()
solver.SetTimeLimit(10_000)
print(solver.Solve() == solver.OPTIMAL, objective.Value(),
      [v.solution_value() for v in z], solver.VerifySolution(1e-7, True))
solver.Maximize(z[0] - z[1])
solver.Add(z[0] + z[1] <= -1)
print(solver.Solve() == solver.INFEASIBLE, pywraplp.Solver.CreateSolver("no"))
solver = pywraplp.Solver.CreateSolver("GLOP")
free = solver.NumVar(0, solver.Infinity(), "free")
solver.Maximize(free)
print(solver.Solve() == solver.UNBOUNDED)
for bad in (lambda: free.basis_status(), lambda: free * free,
            lambda: free < 1, lambda: solver.ExportModelAsLpFormat(False)):
    try:
        bad()
    except (NotImplementedError, TypeError, ValueError) as error:
        print(type(error).__name__, str(error)[:48])
