# expect: success
# final: "refused"
import urllib.request
try:
    urllib.request.urlopen("http://127.0.0.1/", timeout=5)
    answer = "answered"
except OSError:
    answer = "refused"
answer
