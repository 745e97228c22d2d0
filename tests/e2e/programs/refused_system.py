# expect: success
# final: true
import os
os.system("true") != 0
