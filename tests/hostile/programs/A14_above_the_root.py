# expect: ok
# There is no way up from the root, by name or by descriptor.
tell("unreachable" in os.getcwd(), os.getcwd())
root, above = os.stat("/"), os.stat("/..")
tell((root.st_ino, root.st_dev) != (above.st_ino, above.st_dev), root, above)
refused(os.fchdir, 0)
for flags in (os.O_PATH, os.O_PATH | os.O_DIRECTORY):
    got = attempt(os.open, "/", flags)
    if got[0] == "OK":
        refused(os.fchdir, got[1])
        refused(os.open, "../etc/shadow", 0, dir_fd=got[1])
        refused(os.open, "..", os.O_RDONLY, dir_fd=got[1])
