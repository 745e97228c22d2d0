# expect: success
# args: ["--name", "x y", "\u00e9", "", "-1"]
# final: ["", "--name", "x y", "\u00e9", "", "-1"]
import sys
sys.argv
