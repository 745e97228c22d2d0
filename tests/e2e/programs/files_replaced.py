# A new file under the name of an input is output, whatever its times say.
# expect: success
# files-in: {"a.txt": "aaaa"}
# files-out: {"a.txt": "bbbb"}
import os
before = os.stat("a.txt")
with open("other", "w") as out:
    out.write("bbbb")
os.utime("other", ns=(before.st_atime_ns, before.st_mtime_ns))
os.replace("other", "a.txt")
