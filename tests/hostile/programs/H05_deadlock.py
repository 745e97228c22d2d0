# expect: timeout timeout_ms=1000
# Nothing to read, then a lock that is never released.
import threading

tell(attempt(input)[0] != "EOFError", "no input")
tell(sys.stdin.read() != "", "no input")
lock = threading.Lock()
lock.acquire()
lock.acquire()
