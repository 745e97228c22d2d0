# expect: ok
# Signals to everybody: nobody but oneself can be reached.
import signal

for pid in (-1, 0, 1, 3, 99, -2, os.getppid() or 99, 2 ** 32 + 1):
    for what in (signal.SIGKILL, signal.SIGSTOP, 0):
        got = call("kill", pid, int(what))
        tell(got[0] == 0, "kill", pid, got)
refused(os.killpg, 0, signal.SIGKILL)
for pid in (1, 3):
    no_call("tgkill", pid, pid, 9)
    no_call("tkill", pid, 9)
    no_call("rt_sigqueueinfo", pid, 9, 0)
    no_call("rt_tgsigqueueinfo", pid, pid, 9, 0)
os.kill(os.getpid(), 0)
