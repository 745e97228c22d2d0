# expect: success
# stdout-has: "timed out"
# cut
import signal, time
class TimeoutException(Exception): pass
def handler(signum, frame): raise TimeoutException
signal.signal(signal.SIGALRM, handler)
signal.alarm(1)
try:
    time.sleep(5)
except TimeoutException:
    print("timed out")
finally:
    signal.alarm(0)
