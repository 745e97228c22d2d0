# expect: success
x = 5
