# expect: success
# stdout: "to one\n"
# stderr: "to two\n"
import os
os.write(1, b"to one\n")
os.write(2, b"to two\n");
