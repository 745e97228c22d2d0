# expect: ok
# One file under five hundred names.
with open("f", "wb") as file:
    file.write(b"x" * (8 << 20))
for number in range(500):
    attempt(os.link, "f", "l%d" % number)
