# expect: ok
# Datagrams to somebody else's socket.
import socket

refused(socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM)
refused(socket.socketpair, socket.AF_UNIX, socket.SOCK_SEQPACKET)
one, two = socket.socketpair()
for target in ("/dev/log", "/run/systemd/notify", "\0x"):
    refused(one.sendto, b"x", target)
