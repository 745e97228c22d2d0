# expect: success
# final: [["hello", [1, 2]], "EOFError", "handle is closed"]
# Each process closes the ends that it does not use.
from multiprocessing import Pipe, Process


def child(connection, other):
    other.close()
    connection.send("hello")
    connection.send(connection.recv() + [2])
    connection.close()


if __name__ == "__main__":
    ours, theirs = Pipe()
    process = Process(target=child, args=(theirs, ours))
    process.start()
    theirs.close()
    ours.send([1])
    got = [ours.recv(), ours.recv()]
    try:
        ours.recv()
    except EOFError as exc:
        end = type(exc).__name__
    process.join()
    try:
        theirs.send(1)
    except OSError as exc:
        closed = str(exc)
[got, end, closed]
