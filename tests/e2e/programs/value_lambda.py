# expect: success
# final-like: ^<function <lambda> at 0x[0-9a-f]+>$
lambda: 1
