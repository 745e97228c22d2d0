# Hooks that the program put in the way neither hide the error nor hang.
# expect: failure
# error: ValueError
# line: 20
# message-has: "ValueError: seen"
import builtins
import json
import sys
import traceback


def never(*_, **__):
    while True:
        pass


sys.excepthook = sys.displayhook = never
traceback.format_exception = traceback.print_exception = never
json.dumps = builtins.repr = builtins.print = never
raise ValueError("seen")
