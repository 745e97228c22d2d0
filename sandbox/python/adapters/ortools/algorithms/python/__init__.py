"""python - knapsack_solver."""
