"""graph - graph.python: max_flow, min_cost_flow, linear_sum_assignment."""
