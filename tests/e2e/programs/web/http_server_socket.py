# expect: failure
# error: OSError
# told: "network"
# cut
from http.server import HTTPServer, SimpleHTTPRequestHandler

server = HTTPServer(('localhost', 8000), SimpleHTTPRequestHandler)
print("Serving on port 8000")
server.serve_forever()
