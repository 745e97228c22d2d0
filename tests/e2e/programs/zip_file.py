# expect: success
# make: archive
# final: ["first", "second"]
# check: check_archive
import os
import zipfile
with zipfile.ZipFile("in.zip") as packed:
    out = [packed.read(name).decode() for name in packed.namelist()]
os.mkdir("out")
with zipfile.ZipFile("out/packed.zip", "w", zipfile.ZIP_DEFLATED) as made:
    made.writestr("b.txt", "again" * 1000)
out
