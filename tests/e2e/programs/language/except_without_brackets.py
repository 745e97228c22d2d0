# As Python 3.14 has it; with Python 2's comma it stays an error.
# expect: success
# stdout: "ValueError\n"
# cut
import json

try:
    json.loads("{")
except KeyError, json.JSONDecodeError:
    print("ValueError")
