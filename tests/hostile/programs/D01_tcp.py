# expect: ok
# The servers on this host.
import socket

for family, address in ((socket.AF_INET, "127.0.0.1"),
                        (socket.AF_INET6, "::1")):
    for port in (22, 80, 443, 8443, 9000):
        refused(socket.create_connection, (address, port), 1)
        refused(socket.socket, family, socket.SOCK_STREAM)
