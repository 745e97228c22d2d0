# expect: timeout|ok timeout_ms=1000
# Stopped is not ended.
import signal

os.kill(os.getpid(), signal.SIGSTOP)
print("after")
