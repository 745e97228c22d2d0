# expect: success
# needs: psutil
# stdout-has: ["Python 3", "cpus"]
# stderr-like: .*
# cut
import os
import platform
import psutil
import sys

print('Python', sys.version.split()[0], platform.system())
print('cpus', os.cpu_count() > 0)
print('memory', psutil.virtual_memory().total > 0)
print('rss', psutil.Process(os.getpid()).memory_info().rss > 0)
