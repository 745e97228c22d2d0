# What programs do with files: temporary ones, links, times, modes, walks.
import filecmp
import glob
import mimetypes
import os
import pathlib
import shutil
import stat
import tempfile

result = {}
with tempfile.TemporaryDirectory() as folder:
    result["temporary"] = folder.startswith("/tmp/")
    top = pathlib.Path(folder)
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "x.txt").write_text("one\ntwo\n")
    (top / "a" / "b" / "y.txt").write_bytes(b"\0" * 10)
    os.link(top / "a" / "x.txt", top / "hard")
    os.symlink("a/x.txt", top / "soft")
    result["links"] = os.stat(top / "hard").st_nlink
    result["soft"] = (top / "soft").read_text()
    result["real"] = os.path.realpath(top / "soft") == \
        os.path.realpath(top / "a" / "x.txt")
    os.chmod(top / "hard", 0o640)
    result["mode"] = stat.filemode(os.stat(top / "a" / "x.txt").st_mode)
    result["walk"] = [sorted(files) for _, _, files in
                      sorted(os.walk(folder))]
    result["glob"] = len(glob.glob(f"{folder}/**/*.txt", recursive=True))
    os.rename(top / "hard", top / "harder")
    os.replace(top / "harder", top / "hardest")
    result["same"] = filecmp.cmp(top / "hardest", top / "soft")
    os.truncate(top / "hardest", 3)
    result["cut"] = (top / "a" / "x.txt").read_text()
    with open(top / "big", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 1 << 20)
        os.fsync(file.fileno())
        result["big"] = os.fstat(file.fileno()).st_size
    result["access"] = [os.access(top, os.W_OK), os.access("/usr", os.W_OK)]
    with os.scandir(top) as entries:
        result["entries"] = sorted(
            (entry.name, entry.is_dir()) for entry in entries)
    descriptor = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    result["at"] = os.stat("big", dir_fd=descriptor).st_size
    os.unlink("big", dir_fd=descriptor)
    os.close(descriptor)
    result["owner"] = pathlib.Path.home().name
    here = os.getcwd()
    os.chdir(top)
    result["here"] = os.path.exists("big")
    os.chdir(here)
with tempfile.NamedTemporaryFile("w+") as file, \
        tempfile.TemporaryFile() as other, \
        tempfile.SpooledTemporaryFile(10) as spooled:
    file.write("x")
    other.write(b"y" * 100)
    spooled.write(b"z" * 100)
    result["three"] = [other.tell(), spooled.tell()]
result["gone"] = os.path.exists(folder)
result["mime"] = mimetypes.guess_type("a.csv")[0]
result["which"] = shutil.which("sh")
result
# expected: {
#   "temporary": true,
#   "links": 2,
#   "soft": "one\ntwo\n",
#   "real": true,
#   "mode": "-rw-r-----",
#   "walk": [["hard", "soft"], ["x.txt"], ["y.txt"]],
#   "glob": 2,
#   "same": true,
#   "cut": "one",
#   "big": 1048576,
#   "access": [true, false],
#   "entries": [["a", true], ["big", false], ["hardest", false], ["soft", false]],
#   "at": 1048576,
#   "owner": "user",
#   "here": false,
#   "three": [100, 100],
#   "gone": false,
#   "mime": "text/csv",
#   "which": null
# }
