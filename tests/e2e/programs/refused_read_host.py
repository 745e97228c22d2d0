# expect: success
# final: []
seen = []
for path in ("/etc/shadow", "/etc/passwd", "/proc/self/maps",
             "/proc/1/environ", "/root/.bashrc", "/var/log/dpkg.log",
             "/etc/nginx/nginx.conf", "/dev/kmsg", "/dev/mem"):
    try:
        open(path, "rb").read(1)
        seen.append(path)
    except OSError:
        pass
seen
