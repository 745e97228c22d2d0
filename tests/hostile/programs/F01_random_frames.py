# expect: crash|error|ok
# Noise on the channel that carries the result.
for number in (3, 4, 5, 6, 7):
    print(attempt(os.write, number, os.urandom(1 << 16) * 16))
