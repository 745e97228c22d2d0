# expect: ok
# Output that would end a careless answer and begin another one.
os.write(1, b"Status: 302\r\nLocation: http://x/\r\nSet-Cookie: a=b\r\n\r\n"
         b"<script>\x01\x03\x00\x01\x00\x08\x00\x00" + b"\0" * 8 +
         b"0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
