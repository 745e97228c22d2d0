# Signals to itself, timers, masks, waiting, descriptors that wake.
import os
import signal
import threading
import time

seen = []
signal.signal(signal.SIGUSR1, lambda number, _: seen.append(number))
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
result = {"seen": len(seen)}
signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.02)
start = time.monotonic()
time.sleep(0.1)  # goes on after the handler
result["slept"] = time.monotonic() - start > 0.09
result["alarm"] = seen[-1]
signal.alarm(100)
result["alarm left"] = signal.alarm(0) in (99, 100)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
result["blocked"] = len(seen)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
result["unblocked"] = len(seen)
receiving, sending = os.pipe()
os.set_blocking(sending, False)
os.set_blocking(receiving, False)
signal.set_wakeup_fd(sending)
signal.raise_signal(signal.SIGUSR1)
signal.set_wakeup_fd(-1)
result["woken"] = list(os.read(receiving, 9))


def late(*_):
    raise TimeoutError("too late")


signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    while True:
        pass
except TimeoutError as error:
    result["interrupted"] = str(error)
result
# expected: {
#   "seen": 3,
#   "slept": true,
#   "alarm": "alarm",
#   "alarm left": true,
#   "blocked": 4,
#   "unblocked": 5,
#   "woken": [10],
#   "interrupted": "too late"
# }
