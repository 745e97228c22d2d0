# expect: ok
# Sockets by path and by abstract name, and a pair that turns into one.
import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    refused(socket.socket, socket.AF_UNIX, kind)
one, two = socket.socketpair()
refused(one.bind, "\0x")
refused(one.bind, "/tmp/x")
refused(one.connect, "/run/terrarium/fastcgi.sock")
refused(one.listen, 1)
refused(one.accept)
refused(one.sendmsg, [b"x"])
refused(one.recvmsg, 1)
refused(one.setsockopt, socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
refused(one.getsockopt, socket.SOL_SOCKET, 17, 12)
refused(one.getpeername)
