# What os says of its functions holds for those that replace them.
# expect: success
# final: [[], true]
import os

sets = (os.supports_fd, os.supports_dir_fd, os.supports_follow_symlinks)
missing = {one.__name__ for able in sets for one in able
           if getattr(os, one.__name__) not in able}
[sorted(missing), os.listdir in os.supports_fd]
