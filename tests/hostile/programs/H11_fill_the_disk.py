# expect: ok|memory
# Both directories, which are memory.
for folder in ("/home/user", "/tmp"):
    written = 0
    try:
        with open(folder + "/fill", "wb", buffering=0) as file:
            while written < 1 << 40:
                written += file.write(b"x" * (1 << 20))
    except OSError as error:
        print(folder, written >> 20, error)
    tell(written > 1 << 32, folder)
