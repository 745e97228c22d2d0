# expect: success
# files-out: {"real.txt": "real"}
import os
with open("real.txt", "w") as out:
    out.write("real")
for make in (lambda: os.symlink("/etc/passwd", "link"),
             lambda: os.symlink("real.txt", "near"),
             lambda: os.symlink("/", "root"),
             lambda: os.mkfifo("pipe")):
    try:
        make()
    except OSError:
        pass
