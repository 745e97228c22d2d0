# expect: success
# final: 2
x = 1; x + 1
