# expect: success
# files-in: {"in.bin": {"b64": "AAECA/8="}, "empty": ""}
# final: [[0, 1, 2, 3, 255], ""]
[list(open("in.bin", "rb").read()), open("empty").read()]
