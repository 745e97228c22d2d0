# expect: success
# files-out: {"a/b/c.txt": "deep", "top.txt": "top"}
import os
os.makedirs("a/b")
os.mkdir("empty")
with open("a/b/c.txt", "w") as out:
    out.write("deep")
with open("top.txt", "w") as out:
    out.write("top")
