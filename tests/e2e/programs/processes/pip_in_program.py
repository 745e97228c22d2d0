# expect: failure
# error: PermissionError
# told: ["install"]
# cut
import subprocess
import sys

try:
    import ortools
except ImportError:
    subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'ortools'])
    import ortools
print(ortools.__version__)
