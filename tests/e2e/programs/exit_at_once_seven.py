# expect: failure
# exit-code: 7
# error: exited
# message-has: "status 7"
# files-out: {"before.txt": "kept"}
import os
with open("before.txt", "w") as out:
    out.write("kept")
os._exit(7)
