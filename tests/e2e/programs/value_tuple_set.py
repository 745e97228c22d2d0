# expect: success
# final: [[1, 2], [3], [], [4]]
[(1, 2), {3}, set(), frozenset([4])]
