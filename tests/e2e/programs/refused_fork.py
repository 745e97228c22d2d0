# expect: failure
# error: PermissionError
# line: 5
# message-has: "Operation not permitted: fork"
import os; os.fork()
