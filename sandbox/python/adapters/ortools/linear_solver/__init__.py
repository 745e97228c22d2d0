"""linear_solver - linear and mixed-integer programs: pywraplp."""
