# expect: ok
# Deeper than a path can say.
try:
    for depth in range(5000):
        os.mkdir("d")
        os.chdir("d")
    open("deep.txt", "w").close()
except OSError as error:
    print(depth, error)
