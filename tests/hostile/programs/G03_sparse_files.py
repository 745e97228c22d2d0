# expect: ok
# Sizes without content.
for name, size in (("big", 1 << 40), ("big2", 1 << 62)):
    with open(name, "wb") as file:
        refused(os.truncate, file.fileno(), size)
        refused(os.posix_fallocate, file.fileno(), 0, 1 << 33)
with open("hole", "wb") as file:
    attempt(file.truncate, 300 << 20)
    attempt(file.truncate, 200 << 20)
