# expect: success
# files-in: {"same.txt": "same", "changed.txt": "old", "gone.txt": "x",
#    "sub/grown.txt": "a"}
# final: ["changed.txt", "gone.txt", "same.txt", "sub"]
# files-out: {"changed.txt": "new", "sub/grown.txt": "ab"}
import os
names = sorted(os.listdir())
with open("changed.txt", "w") as out:
    out.write("new")
with open("sub/grown.txt", "a") as out:
    out.write("b")
os.unlink("gone.txt")
names
