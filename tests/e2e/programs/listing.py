# The root and /home can be listed: their names are ours. Nothing else of the
# host is there, whatever directory a program walks.
# expect: success
# final: [["dev", "etc", "home", "lib", "tmp", "usr"], ["tmp", "user"], [],
#    true]
import os

ours = {"home", "tmp", "lib", "lib64", "dev", "etc", "usr", "mnt", "content",
        "sandbox", "workspace", "opt", "srv", "var"}
[sorted(set(os.listdir("/")) & {"dev", "etc", "home", "lib", "tmp", "usr"}),
 sorted(set(os.listdir("/home")) - {"earth"}),
 sorted(set(os.listdir("/")) - ours),
 set(os.listdir("/home/user/../..")) == set(os.listdir("/"))]
