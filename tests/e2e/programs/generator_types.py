# expect: success
# final-like: ^<generator object <genexpr> at 0x
(x for x in range(3))
