# expect: ok
# Files that nobody may read, from before and after all calendars.
with open("z", "w") as file:
    file.write("kept")
os.mkdir("zd")
with open("zd/a", "w") as file:
    file.write("1")
attempt(os.utime, "z", (2 ** 40, 2 ** 40))
attempt(os.utime, "zd/a", (-2 ** 40, 0))
os.chmod("z", 0)
os.chmod("zd", 0)
os.chmod(".", 0)
