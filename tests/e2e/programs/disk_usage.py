# expect: success
# final: [true, true, true, [true, true, 0], true, "FileNotFoundError", true]
# The limits of home, and what lies there; nothing of the host's disk.
import os
import shutil

before = shutil.disk_usage(".")
with open("large", "wb") as file:
    file.write(bytes(4 << 20))
    file.flush()
    same = os.fstatvfs(file.fileno()) == os.statvfs("/tmp")
after = shutil.disk_usage(".")
os.remove("large")
host, usr = os.statvfs("/usr"), shutil.disk_usage("/usr")
try:
    os.statvfs("nothing")
    missing = "no error"
except OSError as error:
    missing = type(error).__name__
[before.total >= 16 << 20, after.used - before.used == 4 << 20, same,
 [usr.total == usr.used, usr.total > 0, usr.free], bool(host.f_flag & os.ST_RDONLY), missing,
 os.statvfs(".").f_ffree > 0]
