# A program that looks at its callers finds its own frames only.
# expect: success
# stdout: "hook ['<exec>']\n"
# stderr-has: ["  File \"<exec>\", line 32, in <module>\n    first = look()\n",
#    ": UserWarning: far up\n", "<exec>:32: UserWarning: near\n",
#    "<exec> <exec> 32 logged\n"]
# stderr-like: ^((?!terrarium).)*$
# final: [["<exec>", "<exec>"], ["<exec>", "<exec>"], ["main", "<module>"]]
import atexit
import inspect
import logging
import sys
import traceback
import warnings

logging.basicConfig(format="%(pathname)s %(module)s %(lineno)d %(message)s")


def look():
    traceback.print_stack()
    warnings.warn("far up", stacklevel=9)
    warnings.warn("near", stacklevel=2)
    logging.warning("logged", stacklevel=2)
    frame, found = sys._getframe(), []
    while frame:
        found.append(frame.f_code.co_filename)
        frame = frame.f_back
    return found


atexit.register(lambda: print("hook", [f.filename for f in inspect.stack()]))
first = look()


def main():
    return [f.function for f in inspect.stack()]


[first, [f.filename for f in (lambda: inspect.stack())()], main()]
