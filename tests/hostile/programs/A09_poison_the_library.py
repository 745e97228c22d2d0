# expect: ok
# What later programs would import, or their loader would read.
import json
import numpy

for path in (json.__file__, numpy.__file__, "/etc/ld.so.preload",
             "/etc/ld.so.cache", "/etc/matplotlibrc",
             os.path.dirname(numpy.__file__) + "/../sitecustomize.py",
             os.path.dirname(json.__file__) + "/__pycache__/x.pyc"):
    refused(open, path, "a")
    refused(os.unlink, path)
    refused(os.rename, path, path + "2")
    refused(os.utime, path)
refused(os.chmod, json.__file__, 0o777)
