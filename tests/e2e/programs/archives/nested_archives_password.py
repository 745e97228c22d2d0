# expect: success
# files-kinds: {"all.tar.xz": "xz"}
# stdout-has: ["['a.csv']", "3"]
# cut
import tarfile, io, zipfile, os, shutil, csv
os.makedirs("/tmp/work/in", exist_ok=True)
with open("/tmp/work/in/a.csv", "w", newline="") as f: csv.writer(f).writerows([["x"], [1], [2]])
with tarfile.open("/mnt/data/all.tar.xz", "w:xz") as t: t.add("/tmp/work/in", arcname="in")
shutil.unpack_archive("/mnt/data/all.tar.xz", "/tmp/un", filter="data") if hasattr(tarfile, "data_filter") else shutil.unpack_archive("/mnt/data/all.tar.xz", "/tmp/un")
print(os.listdir("/tmp/un/in")); print(sum(1 for _ in open("/tmp/un/in/a.csv")))
