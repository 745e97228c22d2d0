# expect: success
# final-like: ^\[{60,70}"\[\.\.\.\]"\]
deep = []
for _ in range(100_000):
    deep = [deep]
deep
