# expect: failure
# error: NameError
# stdout-like: ^CPU times
# line: 4
# cut
%%time
x = 1

missing + x
