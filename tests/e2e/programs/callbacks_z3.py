# needs: z3
# expect: success
# final: ["sat", 7, "unsat", true]
import z3

x, y = z3.Ints("x y")
solver = z3.Solver()
solver.add(x + y == 10, x - y == 4)
told = [str(solver.check()), solver.model()[x].as_long()]
solver.add(x > 7)
told.append(str(solver.check()))
try:
    z3.parse_smt2_string("(assert")
    told.append(False)
except z3.Z3Exception:
    told.append(True)
told
