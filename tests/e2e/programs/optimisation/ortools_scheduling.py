# expect: failure
# error: ModuleNotFoundError
# told: ["ortools", "pulp"]
# without: ortools
# cut
from ortools.sat.python import cp_model

model = cp_model.CpModel()
x = model.NewIntVar(0, 10, 'x')
model.Maximize(x)
solver = cp_model.CpSolver()
print(solver.Solve(model))
