# The functions that the sandbox replaces still are what they were for pickle,
# inspect, mock and classes.
# expect: success
# final: [true, true, true, "(self, obj, block, timeout)", "posix posix", "read",
#    "method", [3, 4]]
# files-out: {"a.txt": ""}
import inspect
import multiprocessing.queues
import os
import pickle
import types
from unittest import mock

import matplotlib.pyplot as plt

queue = multiprocessing.queues.Queue
same = [pickle.loads(pickle.dumps(one)) is one for one in
        (open, os.fork, os.system, os.listdir, plt.show)]
kinds = [isinstance(open, types.BuiltinFunctionType),
         isinstance(os.fork, types.BuiltinFunctionType),
         inspect.isfunction(queue.put), callable(os.system)]


class Files:
    """Functions of C do not become methods."""
    opened = open
    listed = os.listdir


Files().opened("a.txt", "w").close()
with mock.patch("builtins.open", mock.mock_open(read_data="read")):
    read = open("nowhere").read()
mock.create_autospec(open)


class Late(queue):
    def put(self, obj, block=True, timeout=None):
        super().put(obj + 1, block, timeout)


late = Late(ctx=multiprocessing.get_context())
late.put(2)
late.put(3)
parameters = ", ".join(inspect.signature(queue.put).parameters)
[all(same), all(kinds), Files().listed(".") == ["a.txt"], f"({parameters})",
 f"{os.fork.__module__} {os.system.__module__}", read,
 type(late.put).__name__,
 [late.get(), late.get()]]
