"""settings - names of states and of solvers."""

from __future__ import annotations

OPTIMAL = "optimal"
OPTIMAL_INACCURATE = "optimal_inaccurate"
INFEASIBLE = "infeasible"
INFEASIBLE_INACCURATE = "infeasible_inaccurate"
UNBOUNDED = "unbounded"
UNBOUNDED_INACCURATE = "unbounded_inaccurate"
INFEASIBLE_OR_UNBOUNDED = "infeasible_or_unbounded"
USER_LIMIT = "user_limit"
SOLVER_ERROR = "solver_error"

# Each of these names is accepted, and HiGHS or cvxopt does the work.
INSTALLED = ["CLARABEL", "CVXOPT", "ECOS", "ECOS_BB", "GLPK", "GLPK_MI",
             "HIGHS", "OSQP", "SCIPY", "SCS"]
ACCEPTED = frozenset(INSTALLED + ["CBC", "SCIP", "PROXQP", "PIQP", "DAQP",
                                  "GLOP", "PDLP", "QPALM", "CUOPT", "SDPA"])
ABSENT = frozenset(["GUROBI", "MOSEK", "CPLEX", "XPRESS", "COPT", "NAG",
                    "DIFFCP", "KNITRO", "IPOPT"])
