# expect: ok
# The kernel remembers each name that it did not find.
end = time.monotonic() + 1
number = 0
while time.monotonic() < end:
    for folder in ("/usr/lib/", "/home/user/", "/etc/"):
        try:
            os.stat(folder + str(number))
        except OSError:
            pass
    number += 1
print(number)
