# expect: ok
# Output files that are links to what we may not read.
for number, path in enumerate((
        "/etc/shadow", "/etc/passwd", "../../../../etc/hostname",
        "/proc/self/environ", "/dev/zero", "/etc/ld.so.cache",
        "/etc/matplotlibrc", "../../tmp/outside")):
    os.symlink(path, "out%d.txt" % number)
with open("/tmp/outside", "w") as file:
    file.write("not below home")
os.symlink("/", "root")
os.symlink(".", "loop")
os.symlink("/tmp", "up")
os.symlink("a", "b")
os.symlink("b", "a");
