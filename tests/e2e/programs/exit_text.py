# expect: failure
# error: SystemExit
# line: 6
# stderr: "went wrong\n"
import sys
sys.exit("went wrong")
