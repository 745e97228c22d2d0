# expect: success
# stdout: "Status: 302\r\nLocation: https://example.org/\r\n\r\n{}\n"
import os
os.write(1, b"Status: 302\r\nLocation: https://example.org/\r\n\r\n{}\n");
