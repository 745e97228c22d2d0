# expect: failure
# error: ModuleNotFoundError
# line: 5
# message-has: "No module named 'no_such_module_here'"
import no_such_module_here
