# What Python still had in its own buffer is lost, as everywhere.
# expect: failure
# exit-code: 0
# error: exited
# stdout: "kept\n"
# message-has: "status 0"
import os
print("kept", flush=True)
os._exit(0)
