# expect: output
# More output than anyone reads.
block = ("y" * 1023 + "\n") * 1024
for _ in range(1024):
    sys.stdout.write(block)
