"""sat - constraint programs: sat.python.cp_model."""
