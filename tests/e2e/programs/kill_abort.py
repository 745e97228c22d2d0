# expect: failure
# exit-code: 134
# error: killed
# message-has: "signal"
# stdout: "kept\n"
import os
print("kept", flush=True)
os.abort()
