# expect: ok
# The classic way out of a chroot: another one, then up and up.
os.mkdir("x")
refused(os.chroot, "x")
for _ in range(50):
    attempt(os.chdir, "..")
for path in ("etc/shadow", "old", "root", "/etc/shadow", "proc"):
    refused(os.stat, path)
