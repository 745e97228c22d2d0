import os
made = 0
for _ in range(20000):
    try:
        os.fork()
        made += 1
    except OSError:
        pass
made
