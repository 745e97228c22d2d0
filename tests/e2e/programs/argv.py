# expect: success
# final: [[""], false]
import sys
[sys.argv, sys.flags.interactive > 0]
