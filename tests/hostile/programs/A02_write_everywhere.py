# expect: ok
# A file in each directory that there is: only home and /tmp take it.
taken = set()
for top in ("/usr", "/etc", "/dev", "/bin", "/lib", "/lib64", "/var",
            "/run", "/tmp", "/home/user"):
    for folder, folders, _ in os.walk(top):
        if attempt(open, folder + "/zz", "w")[0] == "OK":
            taken.add(folder)
        if folder.count("/") > 4:
            folders.clear()
for folder in ("/", "/home", "/usr", "/usr/lib"):
    refused(open, folder + "/zz", "w")
    refused(os.mkdir, folder + "/zzd")
tell(taken - {"/tmp", "/home/user"}, taken)
