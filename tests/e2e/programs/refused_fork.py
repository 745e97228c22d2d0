# expect: failure
# error: PermissionError
# line: 4
import os; os.fork()
