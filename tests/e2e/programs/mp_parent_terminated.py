# expect: success
# stderr-has: []
# final: [["alive", "not alive"], 1]
# A process that is ended while it starts another, or sleeps, leaves the other
# as it is.
import multiprocessing as mp
import time


def report(connection):
    parent = mp.parent_process()
    connection.send("alive" if parent.is_alive() else "not alive")
    parent.join(timeout=5)
    connection.send("alive" if parent.is_alive() else "not alive")


def create(connection):
    mp.Process(target=report, args=(connection,)).start()
    time.sleep(300)


seen = []
for _ in range(40):
    reader, writer = mp.Pipe(duplex=False)
    process = mp.Process(target=create, args=(writer,))
    process.start()
    told = [reader.recv()]
    process.terminate()
    process.join()
    told.append(reader.recv() if reader.poll(5) else "nothing")
    if told not in seen:
        seen.append(told)
[*seen, len(seen)]
