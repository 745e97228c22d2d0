# expect: success
# stdout: "main\nsecond\nfirst\n"
# files-out: {"late.txt": "late"}
import atexit


def late():
    print("first")
    with open("late.txt", "w") as out:
        out.write("late")


atexit.register(late)
atexit.register(print, "second")
print("main")
