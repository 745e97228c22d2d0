# expect: success
# needs: pulp scipy
# stdout: "Optimal 27.9\nx 3.8 0.0\ny 3.3 0.0\nlabour 1.6 0.0\nspace 0.0 1.6\nbalance -1.8 0.0\nInfeasible Unbounded\n"
# cut
import pulp

prob = pulp.LpProblem("Diet", pulp.LpMaximize)
x = pulp.LpVariable("x", 0, 4)
y = pulp.LpVariable("y", 0)
prob += 3 * x + 5 * y, "profit"
prob += 3 * x + 2 * y <= 18, "labour"
prob += x + 2 * y <= 12, "space"
prob += x - y == 0.5, "balance"
prob.solve()
print(pulp.LpStatus[prob.status], round(pulp.value(prob.objective), 4))
for v in prob.variables():
    print(v.name, round(v.varValue, 4), round(v.dj, 4) + 0.0)
for name, c in prob.constraints.items():
    print(name, round(c.pi, 4) + 0.0, round(c.slack, 4) + 0.0)
prob += x + y >= 100
bad = pulp.LpStatus[prob.solve(pulp.PULP_CBC_CMD(msg=False, timeLimit=10))]
free = pulp.LpProblem("free", pulp.LpMaximize)
free += y
print(bad, pulp.LpStatus[free.solve(pulp.GLPK_CMD(msg=0))])
