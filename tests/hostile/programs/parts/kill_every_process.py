found = []
for pid in [-1, 0, 1] + list(range(3, 200)):
    for sign in (0, 9, 18, 19):
        try: os.kill(pid, sign); found.append((pid, sign))
        except PermissionError: pass
try: os.kill(os.getpid(), signal.SIGCONT); found.append('cont')
except PermissionError: pass
found
