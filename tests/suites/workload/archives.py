# zip, tar, gzip, bz2, lzma; shutil's trees, copies and archives.
import bz2
import gzip
import lzma
import os
import shutil
import tarfile
import zipfile
import zlib

os.makedirs("tree/deep")
for name in ("tree/a.txt", "tree/deep/b.txt"):
    with open(name, "w") as file:
        file.write(name * 100)
os.symlink("a.txt", "tree/link")
os.utime("tree/a.txt", (1e9, 1e9))
result = {}
for kind in ("", "gz", "bz2", "xz"):
    with tarfile.open(f"t.tar.{kind}", f"w:{kind}") as tar:
        tar.add("tree")
    with tarfile.open(f"t.tar.{kind}") as tar:
        tar.extractall(f"out-{kind}")
        names = len(tar.getnames())
    result[f"tar {kind}"] = [
        names, os.readlink(f"out-{kind}/tree/link"),
        int(os.stat(f"out-{kind}/tree/a.txt").st_mtime)]
with zipfile.ZipFile("t.zip", "w", zipfile.ZIP_DEFLATED) as made:
    made.write("tree/a.txt")
    made.writestr("b", b"x" * 1000, zipfile.ZIP_LZMA)
with zipfile.ZipFile("t.zip") as made:
    result["zip"] = [made.testzip(), len(made.read("b"))]
for module in (gzip, bz2, lzma, zlib):
    result[module.__name__] = module.decompress(
        module.compress(b"abc" * 999)) == b"abc" * 999
shutil.copytree("tree", "copy", symlinks=True)
shutil.copy2("tree/a.txt", "copied.txt")
result["copied"] = int(os.stat("copied.txt").st_mtime)
shutil.move("copied.txt", "copy/moved.txt")
result["copy"] = sorted(os.listdir("copy"))
shutil.make_archive("made", "zip", "copy")
shutil.unpack_archive("made.zip", "unpacked")
result["unpacked"] = sorted(os.listdir("unpacked"))
result["usage"] = shutil.disk_usage(".").total > 1 << 20
for name in os.listdir("."):
    (shutil.rmtree if os.path.isdir(name) else os.remove)(name)
result
# expected: {
#   "tar ": [5, "a.txt", 1000000000],
#   "tar gz": [5, "a.txt", 1000000000],
#   "tar bz2": [5, "a.txt", 1000000000],
#   "tar xz": [5, "a.txt", 1000000000],
#   "zip": [null, 1000],
#   "gzip": true,
#   "bz2": true,
#   "lzma": true,
#   "zlib": true,
#   "copied": 1000000000,
#   "copy": ["a.txt", "deep", "link", "moved.txt"],
#   "unpacked": ["a.txt", "deep", "link", "moved.txt"],
#   "usage": true
# }
