# expect: success
# files-in: {"v1.txt": "alpha\nbeta\ngamma\n", "v2.txt": "alpha\nbeta2\ngamma\ndelta\n"}
# stdout: "--- v1.txt\n+++ v2.txt\n@@ -1,3 +1,4 @@\n alpha\n-beta\n+beta2\n gamma\n+delta\n0.571\n"
# files-kinds: {"diff.html": "text"}
# cut
import difflib

with open('/mnt/data/v1.txt') as f1, open('/mnt/data/v2.txt') as f2:
    a, b = f1.readlines(), f2.readlines()
print(''.join(difflib.unified_diff(a, b, 'v1.txt', 'v2.txt')), end='')
print(f"{difflib.SequenceMatcher(None, a, b).ratio():.3f}")
open('/mnt/data/diff.html', 'w').write(difflib.HtmlDiff().make_file(a, b));
