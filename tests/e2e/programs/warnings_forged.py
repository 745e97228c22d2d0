# expect: success
# warnings: ["line\n\u0007two", "\ufffd"]
# final: true
# A program can write the runner's frames. A warning is text for the client,
# whatever bytes it has.
import os
import struct

for text in (b"line\n\x07two", b"\xff\xed\xa0\x80"):
    os.write(3, struct.pack("=II", 9, len(text)) + text)
True
