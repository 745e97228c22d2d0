# expect: failure
# exit-code: 137
# error: killed
# message-has: "signal 9"
import os
import signal
os.kill(os.getpid(), signal.SIGKILL)
