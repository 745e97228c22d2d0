# expect: ok
# Out-of-band bytes on a pair; plain ones must pass.
import socket

one, two = socket.socketpair()
refused(one.send, b"x", socket.MSG_OOB)
two.setblocking(False)
refused(two.recv, 1, socket.MSG_OOB)
refused(two.recv, 1, socket.MSG_OOB | socket.MSG_PEEK)
refused(two.recv, 1, 1 << 31 - 1)
one.send(b"ok")
tell(two.recv(2) != b"ok", "plain bytes pass")
