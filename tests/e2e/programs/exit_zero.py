# expect: success
# stdout: "bye\n"
import sys
print("bye")
sys.exit(0)
