# expect: success
# final: ["alarm"]
import signal
import time
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.02)
time.sleep(0.2)
seen
