# expect: ok
# Where a file is expected, something else.
refused(os.mkfifo, "out.csv")
os.mkdir("plot.png")
with open("plot.png/x", "w") as file:
    file.write("1")
