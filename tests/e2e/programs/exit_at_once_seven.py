# expect: failure
# error: exited
# message-has: "status 7"
# files-out: {"before.txt": "kept"}
import os
with open("before.txt", "w") as out:
    out.write("kept")
os._exit(7)
