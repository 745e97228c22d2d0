# expect: failure
# error: PermissionError
# told: ["cannot be started here", "runpy"]
# cut
import subprocess
import sys

result = subprocess.run([sys.executable, '-c', 'print(1 + 1)'],
                        capture_output=True, text=True, timeout=10)
print(result.stdout)
