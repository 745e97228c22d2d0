# expect: success
# files-out: {"bad\ufffdname": "x"}
with open(b"bad\xffname", "w") as out:
    out.write("x")
