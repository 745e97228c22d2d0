# expect: success
# final-like: ^10{6000}$
10 ** 6000
