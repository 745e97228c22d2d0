# expect: success
# final: true
# stderr-has: "os.system: programs and shell commands cannot be started here"
import os
os.system("true") != 0
