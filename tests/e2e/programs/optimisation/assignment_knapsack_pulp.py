# expect: success
# stdout-has: ["Optimal", "cost 9"]
# needs: pulp
# cut
import pulp
costs = [[4, 2, 8], [4, 3, 7], [3, 1, 6]]
m = pulp.LpProblem("Assign", pulp.LpMinimize)
x = pulp.LpVariable.dicts("x", [(i, j) for i in range(3) for j in range(3)], 0, 1, pulp.LpBinary)
m += pulp.lpSum(costs[i][j] * x[i, j] for i in range(3) for j in range(3))
for i in range(3):
    m += pulp.lpSum(x[i, j] for j in range(3)) == 1
    m += pulp.lpSum(x[j, i] for j in range(3)) == 1
status = m.solve(pulp.getSolver("PULP_CBC_CMD", msg=False))
print(pulp.LpStatus[status]); print("cost", int(pulp.value(m.objective)) - 3)
m.writeLP("/tmp/a.lp");
