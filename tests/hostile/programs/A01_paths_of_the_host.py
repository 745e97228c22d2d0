# expect: ok
# Secrets, sockets and settings of the host, by their usual paths.
for path in ("/etc/passwd", "/etc/shadow", "/etc/hosts", "/etc/hostname",
             "/etc/machine-id", "/root", "/root/.ssh", "/var/log", "/run",
             "/etc/nginx/nginx.conf", "/etc/terrarium", "/var/lib", "/opt",
             "/srv", "/boot", "/old", "/usr/bin", "/usr/sbin",
             "/usr/include"):
    refused(os.stat, path)
tell(sorted(os.listdir("/home/user")) != [], os.listdir("/home/user"))
for path in ("/", "/home"):
    tell(set(os.listdir(path)) & {"root", "proc", "sys", "run", "boot"},
         os.listdir(path))
for path, only in (("/var", "cache"), ("/var/cache", "fontconfig")):
    if os.path.exists(path):
        tell(os.listdir(path) != [only], path, os.listdir(path))
