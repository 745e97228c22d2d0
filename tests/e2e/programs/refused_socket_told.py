# expect: failure
# error: OSError
# line: 6
# message-has: "(Refused here: _socket.socket.__init__)"
import socket
socket.create_connection(("192.0.2.1", 80))
