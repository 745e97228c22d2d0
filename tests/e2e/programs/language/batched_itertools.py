# expect: failure
# error: ImportError
# told: ["batched"]
# without: python:3.12
# cut
from itertools import batched
print(list(batched('ABCDEFG', 3)))
