# expect: success
# files-out: {"empty": "", "bytes": {"b64": "AP8Q/gAN"}}
open("empty", "w").close()
with open("bytes", "wb") as out:
    out.write(b"\0\xff\x10\xfe\0\r")
