# expect: success
# stdout: "{'a': 1, 'b': 2}\n[0, 1, 2, 3] 4\nNamespace(total=6)\n"
# final: [{"a": 1, "b": 2}, [0, 1, 2, 3], [1, 2], "x", 5, true]
from multiprocessing import Manager, Pool, Process


def add(shared, numbers, key, value):
    shared[key] = value
    numbers.append(value)


def note(args):
    numbers, lock, n = args
    with lock:
        numbers.append(n)


with Manager() as manager:
    shared, numbers = manager.dict(), manager.list()
    processes = [Process(target=add, args=(shared, numbers, key, value))
                 for key, value in (("a", 1), ("b", 2))]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    lock = manager.Lock()
    with Pool(2) as pool:  # what is shared may be sent
        pool.map(note, [(numbers, lock, 0), (numbers, lock, 3)])
    nested = manager.dict(inner=manager.list([1]))
    nested["inner"].append(2)
    space = manager.Namespace()
    space.total = sum(numbers)
    value, queue, event = manager.Value("i", 4), manager.Queue(), \
        manager.Event()
    value.value += 1
    queue.put("x")
    event.set()
    print(shared)
    print(sorted(numbers), len(numbers))
    print(space)
    result = [dict(sorted(shared.items())), sorted(numbers),
              list(nested["inner"]), queue.get(), value.value,
              event.is_set()]
result
