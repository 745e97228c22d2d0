# expect: success
# files-in: {"in.json": "{\"a\": [1, 2, 12345678901234567890]}"}
# final: {"a": [1, 2, 12345678901234567890]}
import json
with open("in.json") as source:
    data = json.load(source)
data
