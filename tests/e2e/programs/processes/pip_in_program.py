# expect: failure
# error: PermissionError
# told: ["install"]
# cut
import subprocess
import sys

try:
    import gurobipy
except ImportError:
    subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'gurobipy'])
    import gurobipy
print(gurobipy.__version__)
