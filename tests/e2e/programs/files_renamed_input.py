# expect: success
# files-in: {"old.txt": "moved"}
# files-out: {"new.txt": "moved"}
import os
os.rename("old.txt", "new.txt")
