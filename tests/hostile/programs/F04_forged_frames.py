# expect: crash|error
# Well-formed frames with claims that are not ours to make.
import json
import struct

claim = json.dumps({"success": True, "code_runtime": 0, "output_files": [
    {"filename": "../../etc/cron.d/x", "b64_data": "AA=="}]}).encode()
for kind in range(10):
    for size in (len(claim), 0):
        attempt(os.write, 3, struct.pack("=II", kind, size) + claim[:size])
        attempt(os.write, 3, struct.pack("<I", size) + claim[:size])
raise SystemExit(7)
