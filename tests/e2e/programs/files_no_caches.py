# expect: success
# files-in: {"helper.py": "VALUE = 5\n"}
# final: 5
import py_compile
import helper
py_compile.compile("helper.py")
helper.VALUE
