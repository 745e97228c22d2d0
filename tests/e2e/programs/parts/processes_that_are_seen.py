import os
seen = []
for pid in range(2, 3000):
    try:
        os.kill(pid, 0)
        seen.append(pid)
    except OSError:
        pass
[os.getpid() < 10, [p for p in seen if p != os.getpid()]]
