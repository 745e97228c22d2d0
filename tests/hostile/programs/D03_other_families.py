# expect: ok
# The hypervisor, the kernel's own sockets, raw packets.
import socket

for family in range(46):
    for kind in (1, 2, 3, 5):
        got = attempt(socket.socket, family, kind, 0)
        if got[0] == "OK":
            tell(True, family, kind)
        if family != 1:
            got = attempt(socket.socketpair, family, kind, 0)
            if got[0] == "OK":
                tell(True, "pair", family, kind)
tell(False, "no family")
