# expect: success
# needs: cvxopt
# stdout: "optimal [0.25, 0.75]\n"
# cut
from cvxopt import matrix, solvers

solvers.options['show_progress'] = False
P = 2 * matrix([[2.0, 0.5], [0.5, 1.0]])
q = matrix([1.0, 1.0])
G = matrix([[-1.0, 0.0], [0.0, -1.0]])
h = matrix([0.0, 0.0])
sol = solvers.qp(P, q, G, h, matrix([1.0, 1.0], (1, 2)), matrix(1.0))
print(sol['status'], [round(v, 2) for v in sol['x']])
