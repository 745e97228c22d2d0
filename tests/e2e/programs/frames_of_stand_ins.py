# An exception that passed a function of the sandbox shows the program's own
# frames and the libraries', wherever the program prints it. No module of the
# sandbox is in sys.modules.
# expect: success
# stderr: ""
# stdout-like: (?s)^(?!.*_terrarium).*no network here.*cannot be started
# final: []
import logging
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
import traceback

import matplotlib.style

sys.stderr = sys.stdout
logging.basicConfig(stream=sys.stdout)
seen = []


def walk(exc):
    while exc:
        entry = exc.__traceback__
        while entry:
            seen.append(entry.tb_frame.f_code.co_filename)
            entry = entry.tb_next
        exc = exc.__cause__ or exc.__context__


def work():
    with multiprocessing.Pool(2) as pool:
        pool.map(subprocess.run, [["ls"]])


class Unsent:
    def __reduce__(self):
        raise ValueError("not this one")


for tried in [
    lambda: socket.create_connection(("example.org", 80)),
    socket.socket,
    lambda: subprocess.run(["ls"]), os.fork, work,
    lambda: multiprocessing.Queue().put(Unsent()),
    lambda: multiprocessing.Queue(1).get(timeout=0.001),
    lambda: multiprocessing.Lock().release(),
    lambda: os.statvfs("nowhere"),
    lambda: matplotlib.style.use("no such style"),
    lambda: __import__("nothing_of_that_name"),
]:
    try:
        tried()
    except Exception as exc:
        traceback.print_exc()
        logging.exception("failed")
        walk(exc)

thread = threading.Thread(target=subprocess.run, args=(["ls"],))
thread.start()
thread.join()
[name for name in [*seen, *sys.modules] if "terrarium" in name]
