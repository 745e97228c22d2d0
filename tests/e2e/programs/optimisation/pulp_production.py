# expect: success
# needs: pulp
# stdout-has: ["Status: Optimal", "Profit = 36", "x = 2", "y = 6"]
# cut
from pulp import (LpMaximize, LpProblem, LpStatus, LpVariable, value,
                  PULP_CBC_CMD)

prob = LpProblem("Production", LpMaximize)
x = LpVariable("x", lowBound=0, cat="Integer")
y = LpVariable("y", lowBound=0, cat="Integer")
prob += 3 * x + 5 * y
prob += x <= 4
prob += 2 * y <= 12
prob += 3 * x + 2 * y <= 18
prob.solve(PULP_CBC_CMD(msg=0))
print("Status:", LpStatus[prob.status])
print("Profit =", int(value(prob.objective)))
print("x =", int(x.varValue), "y =", int(y.varValue))
