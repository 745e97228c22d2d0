# expect: success
# env: {"GREETING": "hello \u00e9=1", "EMPTY": ""}
# final: ["hello \u00e9=1", "", "/home/user"]
import os
[os.environ["GREETING"], os.environ["EMPTY"], os.environ["HOME"]]
