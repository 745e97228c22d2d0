# The program's namespace holds nothing of the machinery.
# expect: success
# final: []
[name for name in globals()
 if not (name.startswith("__") and name.endswith("__"))]
