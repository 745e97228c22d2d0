# expect: ok
# Names that would be harm elsewhere.
for name in (b"a\nb.csv", b"a\tb", b"\x1b[2Jx", b'a"b', b"a\\..\\b", b"-rf",
             b"\xe2\x80\xae gnp.exe", b"x" * 255, b"con", b" .", b"..data",
             b"\xff\xfe\xc3.txt", b"...", b"\xed\xa0\x80", b"\x7f", b"&<>"):
    with open(name, "w") as file:
        file.write("x")
