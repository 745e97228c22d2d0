# expect: failure
# error: ValueError
# files-in: {"helper.py": "def check(x):\n    raise ValueError(x)\n"}
# line: 7
# message-has: ["helper.py\", line 2, in check", "ValueError: 5"]
import helper
helper.check(5)
