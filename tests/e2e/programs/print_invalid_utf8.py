# Cut, overlong and stray bytes become one U+FFFD for each bad sequence.
# expect: success
# stdout: "\ufffd\ufffdx\ufffdy\ufffd\n"
import os
os.write(1, b"\xff\xfex\xe2\x82y\xf0\x9f\x98\n");
