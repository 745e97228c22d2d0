# Routes: the hint names what is there for them.
# needs: pycryptosat scipy
# without: ortools.constraint_solver
# expect: failure
# error: ModuleNotFoundError
# told: ["use ortools.sat.python.cp_model (add_circuit or
#    add_multiple_circuit for routes)"]
# line: 9
from ortools.constraint_solver import pywrapcp, routing_enums_pb2
