# expect: ok
# The host's addresses.
import fcntl
import socket
import uuid

one, two = socket.socketpair()
for request in (0x8912, 0x8927, 0x8915, 0x8933):
    refused(fcntl.ioctl, one, request, b"\0" * 64)
tell(not uuid.getnode() >> 40 & 1, "the node's address is a random one")
got = attempt(socket.if_nameindex)
tell(got[0] == "OK" and got[1], got)
