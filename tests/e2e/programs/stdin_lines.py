# expect: success
# stdin: "1\n2\n\u00e9\nlast"
# final: ["1", "2", "\u00e9", "last"]
import sys
[line.rstrip("\n") for line in sys.stdin]
