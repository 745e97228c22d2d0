# expect: ok
# A system file by a second name, in a directory that can be written.
import json

for path in (json.__file__, "/etc/ld.so.cache", "/dev/zero"):
    refused(os.link, path, "/home/user/mine")
    refused(os.link, path, "/tmp/mine")
    refused(os.rename, path, "/home/user/mine")
