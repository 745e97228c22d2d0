# expect: success
# final: {}
made = {}
for folder in ("/", "/usr", "/usr/lib", "/etc", "/dev", "/home", "/var",
               "/run", "/proc", "/sys", "/root", "/opt"):
    try:
        open(folder + "/made", "w").close()
        made[folder] = True
    except OSError:
        pass
made
