# expect: crash
# By its own hand.
import signal

print("partial", end="", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
