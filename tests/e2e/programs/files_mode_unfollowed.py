# expect: success
# final: ["NotImplementedError", "NotImplementedError"]
# glibc asks for fchmodat2(2) from 2.39 on, and falls back if there is none.
import os

os.chdir("/tmp")
os.symlink("file", "link")
open("file", "w").close()


def refusal(name):
    try:
        os.chmod(name, 0o600, follow_symlinks=False)
    except Exception as error:
        return type(error).__name__


[refusal("file"), refusal("link")]
