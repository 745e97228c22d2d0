# expect: ok
# Machine code from a file of one's own.
import _struct
import mmap
import shutil
import glob

library = glob.glob(os.path.dirname(os.__file__) + "/lib-dynload/*.so")[0]
for folder in ("/home/user", "/tmp"):
    path = folder + "/evil.so"
    shutil.copyfile(library, path)
    refused(ctypes.CDLL, path)
    with open(path, "r+b") as file:
        for flags in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            refused(mmap.mmap, file.fileno(), 4096, flags=flags,
                    prot=mmap.PROT_READ | mmap.PROT_EXEC)
    os.unlink(path)
