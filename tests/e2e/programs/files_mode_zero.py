# expect: success
# files-out: {"secret": "mine"}
import os
with open("secret", "w") as out:
    out.write("mine")
os.chmod("secret", 0)
