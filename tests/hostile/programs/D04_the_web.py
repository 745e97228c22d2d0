# expect: ok
# The cloud's metadata, the Internet, a name.
import socket
import urllib.request

begun = time.monotonic()
for url in ("http://169.254.169.254/latest/meta-data/",
            "http://127.0.0.1:8080/", "https://example.com/"):
    refused(urllib.request.urlopen, url, timeout=2)
refused(socket.getaddrinfo, "example.com", 80)
refused(socket.gethostbyname, "localhost")
tell(time.monotonic() - begun > 1, "it failed at once")
