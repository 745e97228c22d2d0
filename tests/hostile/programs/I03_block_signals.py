# expect: timeout timeout_ms=1000
# Nothing is delivered.
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
time.sleep(100)
