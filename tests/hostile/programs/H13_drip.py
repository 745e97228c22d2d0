# expect: timeout|output timeout_ms=1500
# Output in single bytes.
while True:
    os.write(1, b"z")
    os.write(2, b"e")
