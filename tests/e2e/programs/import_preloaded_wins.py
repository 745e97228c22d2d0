# An upload called as a preloaded module is data until it is asked for.
# expect: success
# files-in: {"sitecustomize.py": "print('ran')\n",
#    "json.py": "raise SystemExit('wrong json')\n",
#    "usercustomize.py": "print('ran')\n", "x.pth": "import os"}
# final: "[1]"
import json
json.dumps([1])
