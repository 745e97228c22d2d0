# expect: failure
# error: OSError
# line: 6
# message-has: "Operation not permitted: socket"
import socket
socket.create_connection(("192.0.2.1", 80))
