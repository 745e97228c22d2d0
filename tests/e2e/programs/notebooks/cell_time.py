# expect: success
# stdout-like: ^hello\nCPU times: total: .*\nWall time: .*\n$
# final: 3
# cut
%%time
x = 1
print("hello")
x + 2
