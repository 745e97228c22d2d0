# expect: success
# final: [0, 16]
import os
with open(os.devnull, "w") as out:
    out.write("gone")
[len(open("/dev/null", "rb").read()), len(os.urandom(16))]
