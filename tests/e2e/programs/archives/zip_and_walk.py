# expect: success
# files-in: {"data/a.txt": "A", "data/sub/b.txt": "BB"}
# stdout: "data/a.txt 1\ndata/sub/b.txt 2\nNone\n"
# files-kinds: {"bundle.zip": "zip"}
# cut
import os
import zipfile

with zipfile.ZipFile('/mnt/data/bundle.zip', 'w',
                     zipfile.ZIP_DEFLATED) as z:
    for root, dirs, files in os.walk('/mnt/data/data'):
        for name in sorted(files):
            full = os.path.join(root, name)
            z.write(full, os.path.relpath(full, '/mnt/data'))
with zipfile.ZipFile('/mnt/data/bundle.zip') as z:
    for info in z.infolist():
        print(info.filename, info.file_size)
    print(z.testzip())
