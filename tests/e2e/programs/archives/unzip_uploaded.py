# expect: success
# make: archive
# stdout: "one.txt first\nsub/two.txt second\n"
# cut
import zipfile
from pathlib import Path

with zipfile.ZipFile('/mnt/data/in.zip', 'r') as zip_ref:
    zip_ref.extractall('/tmp/extracted')
for p in sorted(Path('/tmp/extracted').rglob('*')):
    if p.is_file():
        print(p.relative_to('/tmp/extracted'), p.read_text())
