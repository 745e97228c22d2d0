# What a process calls is there even if its run() begins after start() is over.
# expect: success
# final: [9, [0], false]
import time
from multiprocessing import Pipe, Process


class Late(Process):
    def run(self):
        time.sleep(0.05)
        super().run()


here, there = Pipe()
late = Late(target=there.send, args=(9,))
late.start()
value = here.recv() if here.poll(5) else None
late.join()
[value, [late.exitcode], hasattr(late, "_target")]
