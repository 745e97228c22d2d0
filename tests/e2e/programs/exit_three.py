# expect: failure
# error: SystemExit
# line: 4
import sys; sys.exit(3)
