# A knapsack, flows and pairs.
# expect: success
# needs: pycryptosat scipy
# stdout: "3183 [0, 4, 6, 10, 11, 12]\nTrue 60 [0] 60\nTrue 150\nTrue\nTrue
#     265 [3, 2, 1, 0]\nTrue\n"
# cut
import numpy as np
from ortools.algorithms.python import knapsack_solver
from ortools.graph.python import (linear_sum_assignment, max_flow,
                                  min_cost_flow)

solver = knapsack_solver.KnapsackSolver(
    knapsack_solver.SolverType
    .KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER, "Knapsack")
values = [360, 83, 59, 130, 431, 67, 230, 52, 93, 125, 670, 892, 600]
weights = [[7, 1, 30, 22, 80, 94, 11, 81, 70, 64, 59, 18, 5]]
solver.init(values, weights, [180])
print(solver.solve(), [i for i in range(len(values))
                       if solver.best_solution_contains(i)])

flow = max_flow.SimpleMaxFlow()
arcs = flow.add_arcs_with_capacity(
    np.array([0, 0, 0, 1, 1, 2, 2, 3, 3]), np.array([1, 2, 3, 2, 4, 3, 4, 2, 4]),
    np.array([20, 30, 10, 40, 30, 10, 20, 5, 20]))
print(flow.solve(0, 4) == flow.OPTIMAL, flow.optimal_flow(),
      flow.get_source_side_min_cut(), sum(flow.flows(arcs)[:3]))

cheap = min_cost_flow.SimpleMinCostFlow()
cheap.add_arcs_with_capacity_and_unit_cost(
    np.array([0, 0, 1, 1, 1, 2, 2, 3, 4]), np.array([1, 2, 2, 3, 4, 3, 4, 4, 2]),
    np.array([15, 8, 20, 4, 10, 15, 4, 20, 5]),
    np.array([4, 4, 2, 2, 6, 1, 3, 2, 3]))
cheap.set_nodes_supplies(np.arange(5), [20, 0, 0, -5, -15])
print(cheap.solve() == cheap.OPTIMAL, cheap.optimal_cost())
cheap.set_node_supply(0, 19)
print(cheap.solve() == cheap.UNBALANCED)

pairs = linear_sum_assignment.SimpleLinearSumAssignment()
for i, row in enumerate([[90, 76, 75, 70], [35, 85, 55, 65],
                         [125, 95, 90, 105], [45, 110, 95, 115]]):
    for j, cost in enumerate(row):
        pairs.add_arc_with_cost(i, j, cost)
print(pairs.solve() == pairs.OPTIMAL, pairs.optimal_cost(),
      [pairs.right_mate(i) for i in range(4)])
try:
    from ortools.constraint_solver import pywrapcp
except ImportError as error:
    print("ortools.constraint_solver" in str(error))
