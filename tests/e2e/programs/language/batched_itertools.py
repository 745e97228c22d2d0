# Python 3.12's function, also with 3.11.
# expect: success
# stdout: "[('A', 'B', 'C'), ('D', 'E', 'F'), ('G',)]\n"
# cut
from itertools import batched
print(list(batched('ABCDEFG', 3)))
