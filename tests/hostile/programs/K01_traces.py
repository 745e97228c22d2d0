# expect: ok
# Leave something behind in every place there is.
import builtins
import decimal
import locale
import warnings

import matplotlib
import numpy

with open("/tmp/left", "w") as file:
    file.write("1")
with open("/home/user/sitecustomize.py", "w") as file:
    file.write("print('left')")
os.environ["LEFT"] = "1"
os.umask(0)
os.chdir("/tmp")
sys.path.insert(0, "/tmp")
builtins.LEFT = numpy.LEFT = 1
numpy.add = None
warnings.simplefilter("error")
decimal.getcontext().prec = 3
matplotlib.rcParams["lines.linewidth"] = 99
locale.setlocale(locale.LC_ALL, "C")
sys.setrecursionlimit(99)
sys.modules["left"] = os
ctypes.c_int.in_dll(LIBC, "optind").value = 4242
ctypes.c_long.in_dll(LIBC, "timezone").value = 4242
