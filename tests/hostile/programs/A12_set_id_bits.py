# expect: ok
# A file that would run as somebody else.
open("s", "w").close()
refused(os.chmod, "s", 0o6777)
refused(os.chmod, "s", 0o1777)
with open("s") as file:
    refused(os.fchmod, file.fileno(), 0o4755)
attempt(os.chown, "s", 0, 0)
status = os.stat("s")
tell(status.st_mode & 0o7000 or status.st_uid != os.getuid(), status)
os.unlink("s")
