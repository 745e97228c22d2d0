# expect: failure
# error: timeout
# timeout_ms: 1000
# told: "1000"
# stdout: "Starting server...\n"
# cut
import time
print("Starting server...")
while True:
    time.sleep(1)
