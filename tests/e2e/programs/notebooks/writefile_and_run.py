# expect: success
# stdout: "42\n"
# files-kinds: {"util.py": "text"}
# stderr-like: .*
# cut
source = '''
def triple(x):
    return 3 * x
'''
with open('util.py', 'w') as f:
    f.write(source)
from util import triple
import importlib, util
importlib.reload(util)
print(triple(14))
