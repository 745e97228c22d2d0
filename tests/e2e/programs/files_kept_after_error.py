# expect: failure
# error: ValueError
# line: 7
# files-out: {"partial.txt": "half"}
with open("partial.txt", "w") as out:
    out.write("half")
raise ValueError("after the file")
