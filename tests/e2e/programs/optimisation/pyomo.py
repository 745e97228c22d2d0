# expect: failure
# error: ModuleNotFoundError
# told: ["pyomo", "pulp"]
# without: pyomo
# cut
from pyomo.environ import ConcreteModel, Var, Objective, SolverFactory
model = ConcreteModel()
