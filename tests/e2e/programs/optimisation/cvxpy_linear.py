# Linear programs, whole numbers, duals, states, and what is not convex.
# expect: success
# needs: cvxopt scipy
# stdout: "410.0 [30. 40.] 1.5 0.5\nmaximize 7.0 * x[0] + 5.0 * x[1]\nsubject
#     to 4.0 * x[0] + 3.0 * x[1] <= 240.0\n           2.0 * x[0] + x[1] <=
#     100.0\noptimal 1020.0 [45. 20. 30. 30.]\n20.0 [2 3 4 5]\ninf infeasible
#     None\ninf unbounded None\nx*y False UNKNOWN True\nconcave False CONCAVE
#     True\nequal squares False CONVEX True\nindefinite False UNKNOWN True\nThe
#     solver GUROBI is not installed.\n"
# cut
import cvxpy as cp
import numpy as np

x = cp.Variable(2, nonneg=True, name="x")
wood, hours = 4 * x[0] + 3 * x[1] <= 240, 2 * x[0] + x[1] <= 100
plan = cp.Problem(cp.Maximize(7 * x[0] + 5 * x[1]), [wood, hours])
print(plan.solve(), x.value, wood.dual_value, hours.dual_value)
print(plan)

cost = np.array([[8, 6, 10, 9], [9, 12, 13, 7], [14, 9, 16, 5]])
flow = cp.Variable(cost.shape)
supply, demand = np.array([35, 50, 40]), np.array([45, 20, 30, 30])
ship = cp.Problem(cp.Minimize(cp.sum(cp.multiply(cost, flow))),
                  [flow >= 0, cp.sum(flow, axis=1) <= supply,
                   cp.sum(flow, axis=0) == demand])
ship.solve(solver=cp.GLPK)
print(ship.status, ship.value, np.sum(flow.value, axis=0))

pick = cp.Variable(6, boolean=True)
worth, weight = np.array([4, 2, 1, 10, 2, 7]), np.array([12, 2, 1, 4, 1, 6])
sack = cp.Problem(cp.Maximize(worth @ pick), [weight @ pick <= 12])
sack.solve(solver=cp.GLPK_MI)
print(sack.value, np.flatnonzero(pick.value > 0.5))

y = cp.Variable()
for sense, limits in ((cp.Minimize, [y >= 1, y <= 0]), (cp.Maximize, [])):
    problem = cp.Problem(sense(y), limits)
    print(problem.solve(), problem.status, y.value)

for name, wrong in (("x*y", x[0] * x[1]), ("concave", cp.sqrt(x[0])),
                    ("equal squares", cp.square(x[0])),
                    ("indefinite", cp.quad_form(x, np.diag([1.0, -1.0])))):
    limits = [wrong == 1] if name == "equal squares" else []
    problem = cp.Problem(cp.Minimize(0 if limits else wrong), limits)
    try:
        problem.solve()
    except cp.DCPError as error:
        print(name, problem.is_dcp(), wrong.curvature,
              "does not follow DCP rules" in str(error))
try:
    plan.solve(solver=cp.GUROBI)
except cp.SolverError as error:
    print(error)
