reached = []
for pid in [-1, 0, 1, 2] + list(range(3, 200)):
    if pid == os.getpid(): continue
    for sign in (0, 9, 15, 19):
        for call in (lambda: libc.kill(pid, sign),
                     lambda: tgkill(pid, pid, sign),
                     lambda: tgkill(pid, 2, sign)):
            if call() == 0: reached.append((pid, sign))
reached
