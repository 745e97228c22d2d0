# expect: success
# stdout: "['proj/src/main.py']\nprint(\"hi\")\nTrue\n"
# files-kinds: {"proj.tar.gz": "gz", "log.txt.gz": "gz"}
# stderr-like: (.*DeprecationWarning(.|\n)*)?
# cut
import gzip
import os
import shutil
import tarfile
import tempfile

with tempfile.TemporaryDirectory() as tmp:
    os.makedirs(f'{tmp}/proj/src')
    with open(f'{tmp}/proj/src/main.py', 'w') as f:
        f.write('print("hi")\n')
    shutil.make_archive('/mnt/data/proj', 'gztar', tmp, 'proj')
with tarfile.open('/mnt/data/proj.tar.gz', 'r:gz') as tar:
    print([m.name for m in tar.getmembers() if m.isfile()])
    tar.extractall('/tmp/out')
print(open('/tmp/out/proj/src/main.py').read().strip())
with gzip.open('/mnt/data/log.txt.gz', 'wt') as f:
    f.write('line\n' * 1000)
print(os.path.getsize('/mnt/data/log.txt.gz') < 200)
