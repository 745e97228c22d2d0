# needs: psutil
# expect: success
# final: [true, true, true, true, true, [true, true], 0, true, true, 1]
# psutil tells of this program and its limits, not of the host.
import os
import psutil

memory = psutil.virtual_memory()
me = psutil.Process()
before = me.cpu_times().user
sum(n * n for n in range(3_000_000))
used = psutil.cpu_percent(interval=0.05)
full = bytearray(50 << 20)
[memory.total <= 4 << 30, 0 < memory.available <= memory.total,
 0 <= memory.percent <= 100, me.memory_info().rss > 50 << 20,
 me.cpu_times().user > before,
 [psutil.cpu_count() >= 1, 0 <= used <= 100], psutil.swap_memory().total,
 me.pid == os.getpid(), me.is_running() and me.name() == "python3",
 len(psutil.pids())]
