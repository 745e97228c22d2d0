# expect: ok
# Text that is none.
sys.stdout.buffer.write(b"\xff\xfe\xc3\x28 raw\0bytes \xed\xa0\x80")
print("\ud800", "\u2028")
"\ud800\0\u2028"
