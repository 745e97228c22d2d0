# expect: ok
# A second process, as Python would make one.
import pty

for function in (os.fork, os.forkpty, pty.fork):
    got = attempt(function)
    if got[0] == "OK" and (got[1] == 0 or got[1] == (0, -1)):
        print("ESCAPED: in the child", flush=True)
        os._exit(0)
    tell(got[0] == "OK", function.__name__, got)
