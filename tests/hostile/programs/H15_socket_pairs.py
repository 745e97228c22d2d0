# expect: ok
# In sockets, epolls and counters.
import select
import socket

made = 0
kept = []
try:
    while made < 10000:
        one, two = socket.socketpair()
        kept += [one, two, select.epoll()]
        kept[-1].register(one)
        one.setblocking(False)
        try:
            while True:
                one.send(b"x" * 65536)
        except BlockingIOError:
            pass
        made += 1
except OSError as error:
    print(made, error)
tell(made == 10000, made)
