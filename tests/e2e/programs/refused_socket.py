# expect: success
# final: ["refused", "refused", "refused"]
import socket
out = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
    try:
        socket.socket(family, socket.SOCK_STREAM)
        out.append("made")
    except OSError:
        out.append("refused")
out
