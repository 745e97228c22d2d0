# expect: ok
# As many files as there may be.
number = 0
try:
    while number < 100000:
        open("f%d" % number, "w").close()
        number += 1
except OSError as error:
    print(number, error)
tell(number == 100000, "the file system is full at", number)
