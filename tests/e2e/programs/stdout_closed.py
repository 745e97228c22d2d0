# expect: success
# stdout: "before\n"
import sys
print("before")
sys.stdout.close()
