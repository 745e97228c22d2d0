# expect: success
# final: [3, "no such thing"]
from multiprocessing.managers import BaseManager


class Counter:
    def __init__(self):
        self.n = 0

    def add(self, n):
        self.n += n
        return self.n

    def fail(self):
        raise KeyError("no such thing")


class Managers(BaseManager):
    pass


Managers.register("Counter", Counter)
with Managers() as manager:
    counter = manager.Counter()
    counter.add(1)
    total = counter.add(2)
    try:
        counter.fail()
    except KeyError as exc:
        error = exc.args[0]
[total, error]
