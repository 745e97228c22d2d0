# expect: success
# final: ["/home/user", "/home/user", "/home/user", "/tmp", []]
import os
import sys
import tempfile
[os.getcwd(), os.environ["HOME"], sys.path[0] or os.getcwd(),
 tempfile.gettempdir(), os.listdir()]
