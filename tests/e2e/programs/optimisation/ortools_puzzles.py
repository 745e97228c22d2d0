# All solutions of a puzzle, products, circuits, and what is left out.
# expect: success
# needs: pycryptosat scipy
# stdout: "OPTIMAL 92 True\nFEASIBLE 3\nOPTIMAL 10652\n[-4, 2, -8, -1, -2,
#     4] -38.0\nOPTIMAL 80.0 4\nCpModel.AddReservoirConstraint is not
#     here\nparameters.max_deterministic_time is not here; max_time_in_s\n/
#     of a linear expression is not linear; use model.add_divisi\nthe
#     constraint y >= 0 has no truth value; give each one to m\n"
# cut
from ortools.sat.python import cp_model


class Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables, limit=None):
        cp_model.CpSolverSolutionCallback.__init__(self)
        self.variables, self.limit, self.found = variables, limit, []

    def on_solution_callback(self):
        self.found.append([self.Value(v) for v in self.variables])
        if self.limit and len(self.found) >= self.limit:
            self.StopSearch()


model = cp_model.CpModel()
queens = [model.NewIntVar(0, 7, f"q{i}") for i in range(8)]
model.AddAllDifferent(queens)
model.AddAllDifferent(queens[i] + i for i in range(8))
model.AddAllDifferent(queens[i] - i for i in range(8))
solver, counter = cp_model.CpSolver(), Counter(queens)
status = solver.SearchForAllSolutions(model, counter)
print(solver.StatusName(status), len(counter.found),
      [0, 4, 7, 5, 2, 6, 1, 3] in counter.found)
few = Counter(queens, 3)
solver.parameters.enumerate_all_solutions = True
print(solver.StatusName(solver.Solve(model, few)), len(few.found))

model = cp_model.CpModel()
letters = {c: model.new_int_var(c in "SM", 9, c) for c in "SENDMORY"}
model.add_all_different(letters.values())
word = lambda w: sum(letters[c] * 10 ** i for i, c in enumerate(w[::-1]))
model.add(word("SEND") + word("MORE") == word("MONEY"))
solver = cp_model.CpSolver()
print(solver.status_name(solver.solve(model)), solver.value(word("MONEY")))

model = cp_model.CpModel()
x, y = model.new_int_var(-5, 5, "x"), model.new_int_var(1, 5, "y")
product, rest = model.new_int_var(-99, 99, "p"), model.new_int_var(-9, 9, "r")
quotient, size = model.new_int_var(-9, 9, "q"), model.new_int_var(0, 9, "s")
model.add_multiplication_equality(product, [x, y])
model.add_modulo_equality(rest, x, 3)
model.add_division_equality(quotient, x, y)
model.add_abs_equality(size, x)
model.add_element(y - 1, [4, -4, 3, 1, 1], x)
model.minimize(10 * x + y)
solver.solve(model)
print([solver.value(v) for v in (x, y, product, rest, quotient, size)],
      solver.objective_value)

distances = [[0, 10, 15, 20], [10, 0, 35, 25], [15, 35, 0, 30], [20, 25, 30, 0]]
model = cp_model.CpModel()
arcs = [(i, j, model.NewBoolVar(f"{i}->{j}"))
        for i in range(4) for j in range(4) if i != j]
model.AddCircuit(arcs)
model.Minimize(sum(distances[i][j] * b for i, j, b in arcs))
print(solver.StatusName(solver.Solve(model)), solver.ObjectiveValue(),
      sum(solver.BooleanValue(b) for _, _, b in arcs))
for bad in (lambda: model.AddReservoirConstraint([], [], 0, 1),
            lambda: setattr(solver.parameters, "max_deterministic_time", 1),
            lambda: x / 2, lambda: model.Add(0 <= y <= 1)):
    try:
        bad()
    except NotImplementedError as error:
        print(str(error)[:60])
