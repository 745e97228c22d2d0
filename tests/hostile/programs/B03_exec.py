# expect: ok
# Become another program.
import glob

loader = glob.glob("/usr/lib/*/ld-linux*.so*") + glob.glob("/lib64/ld*")
for path in loader + ["/bin/sh", "/usr/bin/python3"]:
    refused(os.execv, path, [path, "--help"])
    fd = attempt(os.open, path, os.O_RDONLY)
    if fd[0] == "OK":
        no_call("execveat", fd[1], b"", 0, 0, 0x1000)
no_call("memfd_create", b"x", 0)
no_call("memfd_create", b"x", 0x10)
no_call("uselib", b"/usr/lib/x")
