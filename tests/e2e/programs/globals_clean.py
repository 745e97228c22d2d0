# The program's namespace holds nothing of the machinery, and at most the
# short names of modules that were imported in advance.
# expect: success
# final: []
[name for name in globals()
 if not (name.startswith("__") and name.endswith("__"))
 and name not in ("np", "pd", "plt")]
