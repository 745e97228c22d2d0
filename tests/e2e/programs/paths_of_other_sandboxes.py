# files-in: {"/mnt/data/in.csv": "a,b\n1,2\n", "/home/user/own.txt": "own",
#    "/workspace/deep/in.txt": "deep"}
# expect: success
# final: ["a,b\n1,2\n", ["deep", "in.csv", "own.txt"], "deep", "/home/user/in.csv",
#    ["File exists", true], "refused"]
# files-out: {"plain.txt": "1", "new/out.csv": "2", "earth.txt": "3"}
# Each leads to home, so a file has one name, whichever path names it.
import os
from pathlib import Path

text = open("/mnt/data/in.csv").read()
names = sorted(os.listdir("/sandbox"))
deep = Path("/content/deep/in.txt").read_text()

open("/mnt/data/plain.txt", "w").write("1")
os.makedirs("/mnt/data", exist_ok=True)
Path("/mnt/data/new").mkdir(parents=True, exist_ok=True)
Path("/workspace/new/out.csv").write_text("2")
Path("/home/earth/earth.txt").write_text("3")

try:
    os.mkdir("/workspace")
    made = "made"
except OSError as error:
    made = error.strerror
try:
    for path in ("/mnt/data", "/home/earth", "/home/user"):
        os.rename(path, path + "2")
    refused = "not refused"
except OSError:
    refused = "refused"
[text, names, deep, os.path.realpath("/mnt/data/in.csv"),
 [made, os.path.samefile("/mnt/data", ".")], refused]
