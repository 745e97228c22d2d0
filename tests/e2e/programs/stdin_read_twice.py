# expect: success
# stdin: "all of it"
# final: ["all of it", ""]
import sys
[sys.stdin.read(), sys.stdin.read()]
