# expect: failure
# exit-code: 3
# error: SystemExit
# line: 5
import sys; sys.exit(3)
