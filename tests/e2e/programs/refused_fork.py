# expect: failure
# error: PermissionError
# line: 5
# message-has: "(Refused here: os.fork)"
import os; os.fork()
