"""algorithms - algorithms.python.knapsack_solver."""
