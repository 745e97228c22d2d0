# expect: success
# final: 2
1 + 1
