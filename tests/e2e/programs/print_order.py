# Text, bytes of the buffer and the descriptor keep their order when flushed.
# expect: success
# stdout: "a\nb\nc\n"
import os
import sys
print("a", flush=True)
sys.stdout.buffer.write(b"b\n")
sys.stdout.flush()
os.write(1, b"c\n");
