"""The runner in a program of its own: it loads the runner as C does, preloads,
and forks a guest for each job that it is sent, a line of JSON each."""

import functools
import json
import operator
import os
import pathlib
import re
import select
import signal
import sys
import time
import types

SANDBOX = pathlib.Path(__file__).parents[3] / "sandbox" / "python"
PYTHON = os.environ.get("TERRARIUM_TEST_PYTHON", "/usr/bin/python3")
LIBRARIES = "numpy pandas matplotlib.pyplot"
DEFAULTS = {"imported": False, "call_main": False, "task": 0, "value": 0,
          "merge_output": False,
          "shows": True, "forms": 0, "habits": 0, "name": None, "args": [],
          "value_bytes": 1 << 16, "displays": 8, "displays_bytes": 1 << 20,
          "home_bytes": 1 << 24, "home_inodes": 1000,
          "memory_mb": 512, "threads": 32, "timeout_ms": 30000}
RUN, COMPILE, PARSE = 0, 1, 2
JSON, REPR, STRICT = 0, 1, 2
KILL_AFTER_S = 0.25


def runner_files():
    """Each module's name, with the directory of its file."""
    table = re.search(r"#define EMBEDDED_RUNNER\(X\)(.*?)\n\n",
                      (SANDBOX / "embedded.c").read_text(), re.DOTALL)
    return {name: room for room, name in
            re.findall(r"X\((\w+), (\w+)\)", table[1])}


def heard(call, listener):
    """As C's, with a frame of its own."""
    def told(*args, **named):
        try:
            return call(*args, **named)
        except BaseException as exc:
            listener(exc)
            raise
    return staticmethod(told)


def load_runner():
    """The modules of the package _terrarium, from their text alone, in the
    order of embedded.c's table. Returns the last, which C calls."""
    package = types.ModuleType("_terrarium")
    package.__path__, package.emit = [], None
    package.phase = lambda: None
    package.apart = operator.call  # as C's, without a frame of its own
    package.unseen = lambda function: function
    package.heard = heard
    package.adapters = {}
    sys.modules["_terrarium"] = package
    for name, room in runner_files().items():
        full = f"_terrarium.{name}"
        module = types.ModuleType(full)
        module.__package__ = "_terrarium"
        sys.modules[full] = module
        text = (SANDBOX / room / f"{name}.py").read_text()
        exec(compile(text, f"<{full}>", "exec"), vars(module))
        setattr(package, name, module)
    return module


def guest(runner, job, ends):
    """The child: becomes a guest and runs JOB."""
    for fd, end in enumerate(ends[:3]):
        os.dup2(end, fd)
    if ends[3] != 3:
        os.dup2(ends[3], 3)
    os.closerange(4, 100)
    # As the real one, emit() is no function of Python, into which a signal
    # handler of the program would come. A frame is a line: KIND b'PAYLOAD'.
    emit = functools.partial(print, flush=True, file=os.fdopen(3, "w"))
    if job.get("cwd"):
        os.chdir(job["cwd"])
    runner.channels.emit = emit
    runner.after_fork()
    if job.get("peek"):  # look at the process before the job
        emit(99, repr(eval(job["peek"])).encode())
    emit(0, b"")
    if job["options"]["merge_output"]:  # as C does
        os.dup2(1, 2)
    exit_code = runner.run(job["code"].encode("utf-8", "surrogatepass"),
                           job["arguments"].encode(), job["env"],
                           job["options"])
    emit(98, b"%d" % exit_code)
    os._exit(0)


def watch(pid, ends, job):
    """The worker's part: feed, read, and send the deadline."""
    os.write(ends["in"], job["stdin"].encode())
    os.close(ends["in"])
    texts = {ends[name]: bytearray() for name in ("out", "err", "frames")}
    began, asked, killed = None, False, False
    waiting = set(texts)
    while waiting:
        ready, _, _ = select.select(waiting, [], [], 0.005)
        for fd in ready:
            data = os.read(fd, 1 << 16)
            texts[fd] += data
            if not data:
                waiting.remove(fd)
        if began is None and b"0 b''\n" in texts[ends["frames"]]:
            began = time.monotonic()
        spent = time.monotonic() - began if began else 0
        if spent > job["timeout"] and not asked:
            asked = True
            os.kill(pid, signal.SIGXCPU)
        if spent > job["timeout"] + KILL_AFTER_S and not killed:
            killed = True
            os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    answer = {name: texts[ends[name]].decode("latin-1")
              for name in ("out", "err", "frames")}
    for fd in texts:
        os.close(fd)
    answer.update(status=status, asked=asked,
                  seconds=time.monotonic() - (began or 0))
    return answer


def grow_stack():
    """As C does, so that guests have it: from Python 3.12 on, 10,000 nested
    calls free a nested object."""
    deep = ()
    for _ in range(20000):
        deep = (deep,)


def serve(words):
    """Answer jobs, one JSON line each, until there are no more."""
    grow_stack()
    runner = load_runner()
    fds = sorted(os.listdir("/proc/self/fd"))
    runner.preload(words, "")
    facts = {"threads": len(os.listdir("/proc/self/task")),
             "fds": fds == sorted(os.listdir("/proc/self/fd")),
             "packages": json.loads(runner.packages())}
    runner.get_ready()
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print(json.dumps(facts), file=channel, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        pipes = [os.pipe() for _ in range(4)]
        guests = [pipes[0][0]] + [pipe[1] for pipe in pipes[1:]]
        ours = [pipes[0][1]] + [pipe[0] for pipe in pipes[1:]]
        pid = os.fork()
        if pid == 0:
            for fd in ours + [channel.fileno()]:
                os.close(fd)
            guest(runner, job, guests)
        for fd in guests:
            os.close(fd)
        names = ("in", "out", "err", "frames")
        answer = watch(pid, dict(zip(names, ours)), job)
        print(json.dumps(answer), file=channel, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
    sys.exit()
