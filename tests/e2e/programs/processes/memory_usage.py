# expect: success
# needs: psutil
# memory_mb: 300
# stdout-like: ^Memory: [0-9.]+ MB of 300 MB, [0-9.]+%\n1 thread, python3\n$
# cut
import os
import psutil

process = psutil.Process(os.getpid())
mb = process.memory_info().rss / 1024 ** 2
total = psutil.virtual_memory().total // 1024 ** 2
print(f"Memory: {mb:.1f} MB of {total} MB, {process.memory_percent():.1f}%")
print(process.num_threads(), "thread,", process.name())
