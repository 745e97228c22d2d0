# expect: success
# needs: pycryptosat
# final: [true, [null, true, false, true], false]
from pycryptosat import Solver
solver = Solver()
for clause in ([1], [-1, -2], [2, 3]):
    solver.add_clause(clause)
sat, model = solver.solve()
contradiction = Solver()
contradiction.add_clause([1])
contradiction.add_clause([-1])
[sat, model, contradiction.solve()[0]]
