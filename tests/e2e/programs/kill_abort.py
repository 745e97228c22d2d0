# expect: failure
# error: killed
# message-has: "signal"
# stdout: "kept\n"
import os
print("kept", flush=True)
os.abort()
