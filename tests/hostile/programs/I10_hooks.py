# expect: error|timeout timeout_ms=1500
# Who is told of an exception takes his time.
import threading


def hang(*_):
    time.sleep(100)


sys.excepthook = sys.unraisablehook = sys.displayhook = hang
threading.excepthook = sys.breakpointhook = hang
1 / 0
