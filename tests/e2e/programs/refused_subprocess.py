# expect: failure
# error: PermissionError
# line: 5
# message-has: "Operation not permitted"
import subprocess; subprocess.run(["/bin/true"])
