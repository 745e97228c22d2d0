# expect: success
# files-in: {"helper.py": "def twice(x):\n    return 2 * x\n"}
# final: [42, "helper", "/home/user/helper.py"]
import helper
[helper.twice(21), helper.__name__, helper.__file__]
