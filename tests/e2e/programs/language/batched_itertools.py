# expect: failure
# error: ImportError
# told: ["batched"]
# cut
from itertools import batched
print(list(batched('ABCDEFG', 3)))
