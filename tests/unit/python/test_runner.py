"""Tests of sandbox/python/runner, each job in a process of its own.

The interpreter is this very file run as a program: it loads the runner the way C
does, preloads, and forks a guest for every job it is sent. Two are kept, one
with nothing preloaded and one with numpy, pandas and matplotlib.
"""

import ast
import base64
import functools
import json
import operator
import os
import pathlib
import re
import select
import signal
import subprocess
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


# --- the interpreter: this half runs as a program --------------------------------

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

# --- the tests' half ----------------------------------------------------------

import pytest  # noqa: E402 - the other half does without

class Outcome:
    """The results of one job: out, err, value (parsed), value_text, displays,
    error (type, message) or None, dropped, ended, exit_code, started, and
    the refused call."""

    def __init__(self, answer):
        self.out = answer["out"].encode("latin-1")
        self.err = answer["err"].encode("latin-1")
        self.status, self.seconds = answer["status"], answer["seconds"]
        self.asked = answer["asked"]
        self.value = self.value_text = self.error = self.peeked = None
        self.displays, self.dropped, self.ended = [], 0, False
        self.warnings = []
        self.kinds = []
        self.started, self.refused, self.exit_code = False, None, None
        for frame in answer["frames"].splitlines():
            kind, payload = frame.split(" ", 1)
            try:
                payload = ast.literal_eval(payload)
            except SyntaxError:  # a signal cut print() short, see emit
                continue
            self.take(int(kind), payload)

    def take(self, kind, payload):
        if kind in (1, 2, 3, 4):
            self.kinds.append(kind)
        if kind == 1:
            self.displays.append(strict_json(payload.decode("ascii")))
        elif kind == 2:
            self.value_text = payload.decode("ascii")
            self.value = strict_json(self.value_text)
        elif kind == 3:
            assert self.error is None, "two ERROR frames"
            name, _, message = payload.decode("utf-8").partition("\0")
            self.error = (name, message)
        elif kind == 4:
            self.dropped = int(payload)
        elif kind == 7:
            self.started = True
        elif kind == 9:
            self.warnings.append(payload.decode())
        elif kind == 8:
            self.refused = payload.decode()
        elif kind == 98:
            self.ended, self.exit_code = True, int(payload)
        elif kind == 99:
            self.peeked = payload.decode()


def strict_json(text):
    """Parsed, with NaN, infinities and duplicate keys refused."""
    def constant(name):
        raise ValueError(name)

    def pairs(found):
        assert len(dict(found)) == len(found), "duplicate key"
        return dict(found)

    sys.set_int_max_str_digits(0)
    return json.loads(text, parse_constant=constant, object_pairs_hook=pairs)


class Interpreter:
    """Runs jobs in guests of its own process."""

    def __init__(self, words):
        env = dict(os.environ, OPENBLAS_NUM_THREADS="1",
                   NUMEXPR_NUM_THREADS="1",
                   PYTHONDONTWRITEBYTECODE="1")
        self.process = subprocess.Popen(
            [PYTHON, __file__, words], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.facts = json.loads(self.process.stdout.readline())

    def __call__(self, code, arguments=None, env=(), stdin="", timeout=5.0,
                 cwd=None, peek=None, **options):
        text = arguments if isinstance(arguments, str) else \
            json.dumps(arguments)
        options = {**DEFAULTS, "call_main": arguments is not None, **options}
        job = {"code": code, "arguments": text, "env": list(env), "stdin": stdin,
               "timeout": timeout, "cwd": cwd, "peek": peek,
               "options": options}
        print(json.dumps(job), file=self.process.stdin, flush=True)
        outcome = Outcome(json.loads(self.process.stdout.readline()))
        return outcome

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)


@pytest.fixture(scope="module")
def run():
    interpreter = Interpreter("")
    yield interpreter
    interpreter.close()


@pytest.fixture(scope="module")
def full():
    interpreter = Interpreter(LIBRARIES)
    yield interpreter
    interpreter.close()


def good(outcome):
    assert outcome.error is None, outcome.error[1]
    assert outcome.ended
    return outcome


# --- printing and values ------------------------------------------------------

def test_prints_and_values(run):
    got = good(run("import sys\nprint('hi \u00e9')\n"
                   "print('oops', file=sys.stderr)\n1+1"))
    assert (got.out, got.err, got.value) == ("hi \u00e9\n".encode(),
                                             b"oops\n", 2)
    assert got.displays == [] and got.kinds == [2]


@pytest.mark.parametrize("code, value", [
    ("1", 1), ("True", True), ("1.5", 1.5), ("'a'", "a"), ("b'a'", "b'a'"),
    ("[1, 'x', None]", [1, "x", None]), ("(1, (2,))", [1, [2]]),
    ("{3}", [3]), ("frozenset([3])", [3]), ("[]", []), ("{}", {}),
    ("float('nan')", None), ("[float('inf'), -1e400]", [None, None]),
    ("-0.0", -0.0), ("1e300", 1e300), ("2**200", 2**200),
    ("{1: 2, None: 3, (1, 2): 4, True or 1: 5}",
     {"1": 5, "None": 3, "(1, 2)": 4}),
    ("1j", "1j"), ("range(3)", "range(0, 3)"), ("len", "<built-in function "
                                                "len>"),
    ("'\\ud800x'", "\ufffdx"), ("'\\U0001f600'", "\U0001f600"),
    ("'\\x00\\n'", "\0\n"), ("'\\\\ud800'", "\\ud800"),
    ("from collections import *\ndeque([1])", [1]),
    ("from collections import *\nOrderedDict(a=1)", {"a": 1}),
    ("from collections import *\nnamedtuple('P', 'x')(1)", [1]),
    ("from enum import *\nIntEnum('E', 'A').A", 1),
    ("from decimal import *\nDecimal('1.10')", "1.10"),
    ("from enum import *\nEnum('E', 'A').A", "E.A"),
    ("b'a\\x00b'", "b'a\\x00b'"),
    ("from datetime import *\n[date(2024, 1, 2), datetime(2024, 1, 2, 3),"
     " time(1, 2), timedelta(1, 2), timezone.utc]",
     ["2024-01-02", "2024-01-02 03:00:00", "01:02:00", "1 day, 0:00:02",
      "UTC"]),
    ("import pathlib, uuid\n[pathlib.Path('/a/b'), uuid.UUID(int=1)]",
     ["/a/b", "00000000-0000-0000-0000-000000000001"]),
    ("from decimal import *\nclass D(Decimal):\n def __str__(s): 1/0\n"
     "D(1)", "Decimal('1')"),
    ("...", "Ellipsis"),
])
def test_value(run, code, value):
    got = good(run(code))
    assert got.value == value and type(got.value) is type(value)


@pytest.mark.parametrize("code", ["None", "x = 1", "1;", "(1) ;", "1; # c",
                                  "'a;b';", "1 \\\n;", "", "# c", "def f():"
                                  " pass", "print()", "1;\n\n# c\n", "if 1: 2",
                                  "'\u4e2d';", "1;\x0c", "1;\r\n"])
def test_no_value(run, code):
    assert good(run(code)).value_text is None


@pytest.mark.parametrize("code", ["'a;'", "1 # a;b", "1 # ;", "2; 1", "(\n1\n)",
                                  "(1 #;\n)", "1\n# ;", "'''\n;'''", "1\n#\n;"
                                  "1"[:4], "'\u4e2d' #;"])
def test_semicolon_elsewhere(run, code):
    assert good(run(code)).value_text is not None


def test_big_integers(run):
    got = good(run("10**99998"))
    assert re.fullmatch('"10{65490,} \\.\\.\\. 34,[0-9]{3} more characters"',
                        got.value_text)
    assert int(good(run("10**99998", value_bytes=1 << 20)).value) == 10**99998
    assert "bits" in good(run("[10**200000]", value_bytes=1 << 20)).value[0]
    for sign in ("", "-"):  # as text beyond the digits that json.loads() takes
        for power, text in ((4299, False), (4300, True), (90000, True)):
            value = good(run(f"[{sign}10**{power}]",
                             value_bytes=1 << 20)).value[0]
            assert isinstance(value, str) == text, power
            assert int(value) == int(sign + "1") * 10 ** power
    got = run("10**99998, {10**9999: 1}", value_bytes=1 << 20)
    assert int(good(got).value[0]) == 10**99998


def test_int_limit_stays_the_programs(run):
    assert run("str(10**5000)").error[0] == "ValueError"


@pytest.mark.parametrize("code", [
    "x = []; x.append(x)\nx", "x = {}; x['x'] = x\nx",
    "x = []\nfor i in range(100000): x = [x]\nx",
    "x = 1,\nfor i in range(300): x = {'a': x}\nx",
    "class L(list):\n def __iter__(s): 1/0\n def __len__(s): 1/0\nL([1])",
    "class D(dict):\n def items(s): 1/0\n def keys(s): return 5\nD(a=1)",
    "class S(str):\n def encode(s): 1/0\n def __len__(s): return 9**9\n"
    " def __str__(s): return 5\nS('x')",
    "class I(int):\n def __repr__(s): 1/0\n def bit_length(s): 1/0\nI(1)",
    "class F(float):\n def __repr__(s): return 'nan'\nF(1)",
    "class R:\n def __repr__(s): 1/0\nR()",
    "class R:\n def __repr__(s): return 5\n[R()]",
    "class R:\n def __repr__(s): raise SystemExit\n[R()]",
    "class R:\n def __str__(s): raise KeyboardInterrupt\n{R(): 1}",
    "class R:\n def __getattr__(s, n): return lambda *a, **k: '<b>'\nR()",
    "class R:\n __class__ = int\nR()",
    "class R:\n @property\n def __class__(s): 1/0\nR()",
    "class M(type):\n def mro(c): return [c, int, object]\n"
    "class R(int, metaclass=M): pass\nR(5)",
    "[[1]*10]*10", "{1: 2, '1': 3}",
    "type('x'*5000, (), {'__repr__': lambda s: 1/0})()",
])
def test_odd_values(run, code):
    got = good(run(code))
    assert got.value_text and not got.displays


def test_odd_values_read_well(run):
    assert run("x = [1]; x.append(x)\nx").value == [1, "[...]"]
    assert run("class L(list):\n def __iter__(s): 1/0\nL([1])").value == [1]
    assert run("class I(int):\n def __repr__(s): 1/0\nI(1)").value == 1
    bad = "class R:\n def __repr__(s): 1/0\n[R(), 1]"
    assert run(bad).value == ["<repr failed: ZeroDivisionError>", 1]
    assert run("{1: 2, '1': 3}").value == "{1: 2, '1': 3}"


@pytest.mark.parametrize("code", ["'x' * 10**6", "['a' * 900] * 200",
                                  "'\\x00' * 9000", "'\\U0001f600' * 9000",
                                  "list(range(10**5))", "{i: i for i in "
                                  "range(99999)}", "'\\\\' * 40000",
                                  "class R:\n def __repr__(s): return "
                                  "'r' * 10**7\nR()"])
def test_value_is_bounded(run, code):
    got = good(run(code, value_bytes=5000))
    assert len(got.value_text) <= 5000
    kept, _, left_out = got.value.rpartition("... ")
    assert re.fullmatch("[0-9,]+ more characters", left_out)
    assert len(got.value_text) > 3700


@pytest.mark.parametrize("code, end", [
    ("list(range(10**5))", r"\d+,"), ("'line\\n' * 9999", "line\n"),
    ("'word ' * 9999", "word"), ("'x' * 10**5", "x")])
def test_a_value_is_cut_behind_a_line_an_item_or_a_word(run, code, end):
    got = good(run(code, value_bytes=5000))
    kept, _, left_out = got.value.rpartition("... ")
    assert re.search(r"(^|\D)" + end.rstrip() + r"\s*$", kept) or end == "x"
    whole = eval(code)
    whole = whole if isinstance(whole, str) else repr(whole)
    assert whole.startswith(kept.rstrip(" ")) or end == "x"
    missing = int(left_out.split()[0].replace(",", ""))
    assert abs(len(whole) - missing - len(kept)) <= 1


# --- the program's world ------------------------------------------------------

def test_world(run, tmp_path):
    (tmp_path / "helper.py").write_text("def f(): return display(1) or 7")
    got = good(run(
        "import sys, os, helper, pickle, dataclasses, inspect, __main__\n"
        "@dataclasses.dataclass\nclass P:\n x: int\n"
        "p = pickle.loads(pickle.dumps(P(3)))\n"
        "[__name__, sys.argv, sys.path[0] == os.getcwd(), helper.f(), p.x,"
        " os.environ['A'], __main__.p is p, input(), sys.stdin.read(),"
        " inspect.getsource(P).count('x: int')]",
        cwd=str(tmp_path), env=["A=b=c"], stdin="line\nrest"))
    assert got.value == ["__main__", [""], True, 7, 3, "b=c", True, "line",
                         "rest", 1]
    assert got.displays == [{"text/plain": "1"}]


def test_stdin_is_empty(run):
    assert run("input()").error[0] == "EOFError"


def test_timezone(run):
    got = good(run("import time\ntime.tzname[0]", env=["TZ=XYZ+3"]))
    assert got.value == "XYZ"


def test_streams(run):
    got = good(run("import sys\nsys.stdout.buffer.write(b'\\xff')\n"
                   "print('\\ud800')\nsys.stdout.write('tail')\n"
                   "sys.__stdout__ is sys.stdout, sys.stdout.name;"))
    assert got.out == b"\xff\xed\xa0\x80\ntail"
    got = good(run("import sys, io\nsys.stdout = io.StringIO()\nprint(1)"))
    assert got.out == b""
    good(run("import sys\nsys.stdout.close(); sys.stderr = None"))
    good(run("import sys\nsys.stdout.detach()"))
    good(run("import os\nfor fd in (0, 1, 2): os.close(fd)"))


def test_dedent(run):
    assert good(run("\n   x = 1\n   x")).value == 1
    assert good(run("\r\n\tx = '''\r\n\t a'''\r\n\tx")).value == "\n a"
    assert good(run("x = '''\n  a'''\nx")).value == "\n  a"
    assert good(run("x = '''\n  \n'''\nx")).value == "\n  \n"
    assert good(run("\ufeff1")).value == 1
    assert good(run("# coding: rot13\n1")).value == 1


def test_warnings_show_their_source(run):
    got = good(run("import warnings\nwarnings.warn('careful')\n1 is 1;"))
    assert b"<exec>:2: UserWarning: careful\n  warnings.warn" in got.err
    assert b"SyntaxWarning" in got.err


# --- await and main -----------------------------------------------------------

def test_await(run):
    code = ("import asyncio\nloop = asyncio.get_running_loop()\n"
            "async def f():\n await asyncio.sleep(0.001)\n return 5\n"
            "t = asyncio.create_task(f())\n"
            "assert asyncio.get_running_loop() is loop\nawait t")
    assert good(run(code)).value == 5
    assert good(run("async def f(): return 1\nx = await f()\nx + 1")).value == 2
    code = "async def g():\n yield 1\n[x async for x in g()]"
    assert good(run(code)).value == [1]


def test_left_tasks_are_cancelled(run):
    code = ("import asyncio\nasync def f():\n try: await asyncio.sleep(60)\n"
            " finally: print('cancelled')\n"
            "t = asyncio.create_task(f())\nawait asyncio.sleep(0)")
    got = good(run(code))
    assert got.out == b"cancelled\n" and got.seconds < 2


@pytest.mark.parametrize("code", [
    "import asyncio\nasync def f(): return 3\nasyncio.run(f())",
    "import asyncio\nasync def f(): return 3\n"
    "asyncio.get_event_loop().run_until_complete(f())",
])
def test_users_own_loop(run, code):
    assert good(run(code)).value == 3


def test_await_fails(run):
    got = run("async def f():\n  1/0\n\nawait f()\n")
    name, message = got.error
    assert name == "ZeroDivisionError"
    assert "asyncio" not in message and "_terrarium" not in message
    assert message.count("File") == 2 and "\n2:   1/0\n" in message
    assert run("import asyncio\nasyncio.get_running_loop().stop()\n"
               "await asyncio.sleep(1)").error[0] == "RuntimeError"


def test_main(run):
    code = "def main(a, b=2, **rest): return [a, b, rest]\n99"
    got = good(run(code, arguments='{"a": 1' + "0" * 5000 + ', "c": null}'))
    assert got.value == ["1" + "0" * 5000, 2, {"c": None}]
    assert got.kinds == [2]
    code = "import asyncio\nasync def main(a):\n await asyncio.sleep(0)\n" \
           " return a"
    assert good(run(code, arguments={"a": "x"})).value == "x"
    assert good(run("await __import__('asyncio').sleep(0)\n" + code,
                    arguments={"a": "x"})).value == "x"
    assert good(run("def main(): pass\n1", arguments={})).kinds == []


def test_main_fails(run):
    name, message = run("x = 1", arguments={}).error
    assert name == "NameError" and "main" in message
    assert "Code context" not in message
    name, message = run("def main(): pass", arguments={"a": 1}).error
    assert name == "TypeError" and "unexpected keyword" in message
    assert run("print(1)", arguments="[1]").error[0] == "TypeError"


# --- errors -------------------------------------------------------------------

def test_error(run):
    got = run("print('before')\n\n\n\ndef f():\n    1 / 0\n\n\n\n\n\nf()\n3\n"
              "4\n5\n6")
    assert got.out == b"before\n" and got.ended
    text = re.sub(r"(?m)^ *[~^]+\n", "", got.error[1])  # of some versions
    assert got.error[0] == "ZeroDivisionError"
    assert text == """\
Traceback (most recent call last):
  File "<exec>", line 12, in <module>
    f()
  File "<exec>", line 6, in f
    1 / 0
ZeroDivisionError: division by zero

Code context:
2: 
3: 
4: 
5: def f():
6:     1 / 0
7: 
8: 
9: 
10: """


def test_syntax_error(run):
    name, message = run("x = 1\ny = = 2").error
    assert name == "SyntaxError"
    assert message.startswith('  File "<exec>", line 2\n    y = = 2\n')
    assert message.endswith("\n\nCode context:\n1: x = 1\n2: y = = 2")
    assert run("return 1").error[0] == "SyntaxError"
    assert run("  x\n y").error[0] == "IndentationError"
    assert run("a\0b").error[0] in ("ValueError", "SyntaxError")


def test_error_in_an_uploaded_module(run, tmp_path):
    (tmp_path / "helper.py").write_text("def f():\n    raise KeyError('k')\n")
    message = run("import helper\nhelper.f()", cwd=str(tmp_path)).error[1]
    assert "    raise KeyError('k')\n" in message
    assert message.endswith("\n\nCode context:\n1: import helper\n"
                            "2: helper.f()")


def test_causes(run):
    message = run("try:\n 1/0\nexcept Exception as e:\n"
                  " raise KeyError('a') from e").error[1]
    assert "ZeroDivisionError" in message and "direct cause" in message
    assert message.endswith("4:  raise KeyError('a') from e")


@pytest.mark.parametrize("code, name", [
    ("import sys\nsys.exit(3)", "SystemExit"),
    ("import sys\nsys.exit(-1)", "SystemExit"),
    ("import sys\nsys.exit(True)", "SystemExit"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("raise GeneratorExit", "GeneratorExit"),
    ("raise MemoryError", "MemoryError"),
    ("raise BaseException", "BaseException"),
    ("class E(Exception):\n def __str__(s): 1/0\nraise E", "E"),
    ("class E(Exception):\n __str__ = __repr__ = lambda s: 5\nraise E", "E"),
    ("class E(Exception):\n __traceback__ = __cause__ = __context__ = "
     "property(lambda s: 1/0)\nraise E('x')", "E"),
    ("class E(Exception):\n def __getattribute__(s, n): 1/0\nraise E", "E"),
    ("a, b = ValueError(), KeyError()\na.__cause__ = b; b.__cause__ = a\n"
     "raise a", "ValueError"),
    ("e = ValueError()\nfor i in range(10**4):\n"
     "  n = ValueError(); n.__context__ = e; e = n\nraise e", "ValueError"),
    ("def f(): f()\nf()", "RecursionError"),
    ("raise type('E' * 1000, (Exception,), {})", "E" * 200),
    ("raise type('\u4e2d\\n', (Exception,), {})", "\u4e2d\n"),
    ("class M(type):\n __name__ = __module__ = 5\n"
     "class E(Exception, metaclass=M): pass\nraise E", "E"),
    ("raise ValueError('\\ud800\\0')", "ValueError"),
    ("raise ValueError('x' * 10**7)", "ValueError"),
    ("raise SyntaxError('x', (5, 'y', {}, []))", "SyntaxError"),
    ("raise SyntaxError('x', ('<exec>', 10**30, 1, 'text'))", "SyntaxError"),
    ("import sys\ndef f(*a): 1/0\nsys.settrace(f); sys.setprofile(f)",
     "ZeroDivisionError"),
    ("eval('(' * 10000 + ')' * 10000)", None), ("-" * 100000 + "1", None),
    ("import sys\nsys.setrecursionlimit(60)\n1/0", "ZeroDivisionError"),
])
def test_odd_errors(run, code, name):
    got = run(code)
    assert got.ended
    assert got.error[0] == name or name is None
    assert len(got.error[1].encode()) < 80 << 10
    assert got.value_text is None


def test_plain_traceback(run):
    """When the exception breaks its own formatting."""
    message = run("class E(Exception):\n def __getattribute__(s, n): 1/0\n"
                  "raise E('why')").error[1]
    assert message.startswith(
        'Traceback (most recent call last):\n  File "<exec>", line 3, in '
        "<module>\nE: why\n\nCode context:\n1: ")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="has no groups")
def test_groups(run):
    name, message = run("raise ExceptionGroup('g', [ValueError('v'), "
                        "KeyError('k')])").error
    assert name == "ExceptionGroup" and "ValueError: v" in message
    name, message = run("e = ValueError()\nfor i in range(10000):\n"
                        "  e = ExceptionGroup('g', [e])\nraise e").error
    assert name == "ExceptionGroup" and 'File "<exec>", line 4' in message
    assert run("raise BaseExceptionGroup('g', [SystemExit()])").error


def test_long_message_is_cut_in_the_middle(run):
    message = run("raise ValueError('a' * 10**6 + 'end')").error[1]
    assert "bytes left out ...]\n" in message
    assert message.endswith("aend\n\nCode context:\n"
                            "1: raise ValueError('a' * 10**6 + 'end')")


def test_long_line(run):
    got = run("x = 1;" * 20000 + "1/0")
    assert got.error[0] == "ZeroDivisionError"
    assert got.error[1].endswith("\n1: " + ("x = 1;" * 67)[:400] + "...")
    assert len(got.error[1]) < 1000


# bad() has its error's class from before the program replaces that too: it
# would call itself, and Python 3.13.5 does not count a call of f(*a) as one
# within another.
BREAKAGE = """
import builtins, json, traceback, sys, os, io, linecache, threading, types
import textwrap, re, ast, base64, warnings, signal, gc, asyncio, atexit
def bad(*a, _error=SystemError, **k): raise _error('patched')
for module in (json, traceback, linecache, textwrap, re, base64, warnings,
               gc, asyncio, ast, json.encoder):
    for name in dir(module):
        if callable(getattr(module, name)):
            setattr(module, name, bad)
sys.excepthook = sys.unraisablehook = sys.displayhook = bad
threading.excepthook = threading._shutdown = atexit._run_exitfuncs = bad
os.write = os.getcwd = signal.setitimer = bad
io.TextIOWrapper = io.BytesIO = bad
"""
NO_BUILTINS = """
for name in list(vars(builtins)):
    if name not in ('list', 'vars', 'setattr', 'bad', 'ZeroDivisionError'):
        setattr(builtins, name, bad)
"""


def test_monkeypatched_library(run):
    got = good(run(BREAKAGE + "print('x')\n[1, 'a']"))
    assert got.value == [1, "a"] and got.out == b"x\n"
    got = run(BREAKAGE + "1/0")
    assert got.error[0] == "ZeroDivisionError"
    assert "line 14, in <module>" in got.error[1]
    assert got.error[1].endswith("14: 1/0")


def test_monkeypatched_builtins(run):
    got = good(run(BREAKAGE + NO_BUILTINS + "[1, {'a': 2.5}]"))
    assert got.value == [1, {"a": 2.5}]
    got = run(BREAKAGE + NO_BUILTINS + "1/0")
    assert got.error[0] == "ZeroDivisionError"
    assert got.error[1].endswith(": 1/0")


def test_exit(run):
    for code in ("", "0", "None", "False"):
        assert good(run(f"import sys\nprint(1)\nsys.exit({code})")).out
    got = run("import sys\nsys.exit('reason')")
    assert got.error[0] == "SystemExit" and got.err == b"reason\n"
    assert "Code context:\n1: import sys\n2: sys.exit('reason')" in \
        got.error[1]


def test_memory_error(run):
    got = run("import resource\n"
              "used = int(open('/proc/self/statm').read().split()[0]) * 4096\n"
              "resource.setrlimit(resource.RLIMIT_AS, 2 * (used + 2**27,))\n"
              "def f():\n x = []\n while True: x.append('abc' * len(x))\n"
              "f()")
    assert got.error[0] == "MemoryError" and got.ended
    assert "line 6, in f" in got.error[1]
    got = run("import resource\n"
              "used = int(open('/proc/self/statm').read().split()[0]) * 4096\n"
              "resource.setrlimit(resource.RLIMIT_AS, 2 * (used + 2**27,))\n"
              "def f(x):\n    while True: x = (x, 0)\nf(0)")
    assert got.error[0] == "MemoryError" and got.ended
    assert "in <module>\n    f(0)\n" in got.error[1]

def test_memory_error_lets_go_of_what_filled_memory(run):
    got = run("class Big: pass\nimport weakref\ndef f():\n  global w\n"
              "  big = Big(); w = weakref.ref(big)\n  raise MemoryError\n"
              "import atexit\n"
              "@atexit.register\ndef f2(): print(w())\nf()")
    assert got.error[0] == "MemoryError" and "in f\n" in got.error[1]
    assert got.out == b"None\n"


def test_profiler_does_not_see_the_end(run):
    got = good(run("import sys\nn = []\nsys.setprofile(lambda frame, *a: "
                   "n.append(frame.f_code.co_filename))\nn"))
    assert sum("_terrarium" in name for name in got.value) < 20


@pytest.mark.parametrize("code", [
    "raise PermissionError(1, 'Operation not permitted')",
    "raise PermissionError(13, 'Permission denied', 'x')",
    "raise OSError(97, 'Address family not supported by protocol')",
    "raise OSError(38, 'Function not implemented')",
    "raise OSError(30, 'Read-only file system')",
    "import socket\nraise socket.gaierror(-3, 'Temporary failure')",
    "try: raise PermissionError(1, 'x')\nexcept OSError: raise ValueError",
    "try: raise PermissionError(1, 'x')\nexcept OSError as e: raise KeyError"
    " from e",
])
def test_refusal_is_explained(run, code):
    message = run(code).error[1].split("\n\nCode context:")[0]
    *_, words, last = message.split("\n")
    assert last.startswith("Hint: ")
    assert re.match(r"[\w.]+(Error|gaierror)\b", words)


@pytest.mark.parametrize("code", [
    "raise OSError(2, 'x')", "raise OSError('text')", "raise OSError",
    "raise OSError('1', 'text')", "raise ValueError(1)", "1/0",
    "class E(OSError): errno = 1\nraise E(2, 'x')",
    "try: raise PermissionError(1, 'x')\nexcept OSError: pass\n1/0",
])
def test_other_errors_are_not_explained(run, code):
    assert "Hint: " not in run(code).error[1]


def test_refusal_itself_stays(run):
    got = good(run("import sys\ntry: raise PermissionError(1, 'x')\n"
                   "except OSError as e: print(str(e))"))
    assert got.out == b"[Errno 1] x\n"


def test_refusals_in_a_circle(run):
    got = run("a, b = ValueError('a'), ValueError('b')\n"
              "a.__context__, b.__context__ = b, a\nraise a")
    assert got.error[0] == "ValueError"


# --- after the program ---------------------------------------------------------

def test_order_of_the_end(run):
    got = good(run("import threading, atexit, time\n"
                   "atexit.register(print, 'hook')\n"
                   "def f():\n time.sleep(0.05); print('thread')\n"
                   "threading.Thread(target=f).start()\nprint('body')"))
    assert got.out == b"body\nthread\nhook\n"


def test_end_comes_after_a_failure_too(run):
    got = run("import atexit\natexit.register(print, 'hook')\n1/0")
    assert got.out == b"hook\n" and got.error[0] == "ZeroDivisionError"


def test_failing_hook_and_thread(run):
    got = good(run("import atexit, threading\n"
                   "atexit.register(lambda: 1/0)\n"
                   "threading.Thread(target=lambda: 1/0).start()"))
    assert got.err.count(b"ZeroDivisionError") == 2


def test_executor_is_joined(run):
    got = good(run("import concurrent.futures as c, time\n"
                   "e = c.ThreadPoolExecutor(1)\n"
                   "e.submit(lambda: (time.sleep(.05), print('done')));"))
    assert got.out == b"done\n"


# --- the deadline -------------------------------------------------------------

@pytest.mark.timed
@pytest.mark.parametrize("code, line", [
    ("print('x')\nwhile True: pass", 2),
    ("def f():\n while True: pass\nf()", 2),
    ("import time\ntime.sleep(60)", 2),
    ("import time\nwhile True:\n try: time.sleep(60)\n"
     " except Exception: pass", 3),
    ("import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()", 4),
    ("import asyncio\nprint()\nawait asyncio.sleep(60)", 3),
    ("import asyncio\nasync def f():\n await asyncio.sleep(60)\nawait f()", 3),
    ("import asyncio\nasync def f():\n while True: pass\nawait f()", 3),
    ("import asyncio\nasync def f(): await asyncio.sleep(60)\n\n"
     "asyncio.run(f())", 4),
    ("import threading, time\nt = threading.Thread(target=time.sleep, "
     "args=(60,))\nt.start()", 0),
    ("import atexit\n@atexit.register\ndef f():\n while True: pass", 4),
    ("class R:\n def __repr__(s):\n  while True: pass\nR()", 3),
    ("class R:\n def _repr_html_(s):\n  while True: pass\nR()", 3),
    ("while True: display(1)", 1),
    ("import itertools\nany(map(display, itertools.repeat(1)))", 2),
    ("import signal\nfor s in range(1, 24):\n try: signal.siginterrupt(s, "
     "False)\n except Exception: pass\nwhile True: pass", 5),
])
def test_deadline(run, code, line):
    got = run(code, timeout=0.15)
    assert got.asked and got.error[0] == "timeout", got.error
    assert got.ended and got.status == 0 and got.seconds < 0.4
    assert "Timeout: the time limit was reached" in got.error[1]
    lines = code.split("\n")
    if line:
        assert f'File "<exec>", line {line}, in' in got.error[1]
        assert f"\n{line}: {lines[line - 1]}" in got.error[1]


@pytest.mark.timed
def test_deadline_swallowed(run):
    got = run("import time\nfor i in range(4):\n try: time.sleep(60)\n"
              " except BaseException: print('no', flush=True)\n"
              "time.sleep(60)", timeout=0.1)
    assert got.error[0] == "timeout" and got.out == b"no\n" * 4
    assert "line 5" in got.error[1] and got.seconds < 0.4


def test_deadline_swallowed_for_good(run):
    got = run("import time\nwhile True:\n try: time.sleep(9)\n"
              " except BaseException: pass", timeout=0.1)
    assert got.status == signal.SIGKILL and not got.ended


def test_deadline_while_formatting(run):
    got = run("class E(Exception):\n def __str__(s):\n  while True: pass\n"
              "raise E('why')", timeout=0.1)
    assert got.error[0] == "E" and got.ended
    assert 'line 4, in <module>' in got.error[1]
    assert got.error[1].endswith("4: raise E('why')")


def test_deadline_keeps_output(run):
    got = run("import sys\nsys.stdout.write('partial')\nwhile 1: pass",
              timeout=0.1)
    assert got.out == b"partial" and got.error[0] == "timeout"


def test_deadline_in_a_burst(run):
    """A signal at any moment of a short job never loses its end."""
    code = ("import os, signal, _thread, time\ndef f():\n"
            " time.sleep({})\n os.kill(os.getpid(), signal.SIGXCPU)\n"
            "_thread.start_new_thread(f, ())\ntime.sleep(0.004)\n1/0")
    for step in range(40):
        got = run(code.format(0.003 + step * 5e-5))
        assert got.ended and got.error[0] in ("timeout", "ZeroDivisionError")


def test_hostile_timer(run):
    storm = ("import signal\ndef f(*a): raise KeyError\n"
             "signal.signal(signal.SIGALRM, f)\n"
             "signal.setitimer(signal.ITIMER_REAL, 2e-4, 2e-4)\n"
             "while True: pass")
    for _ in range(5):
        got = run(storm, timeout=1)
        assert got.error and got.error[0] == "KeyError" and got.status == 0


# --- rich values --------------------------------------------------------------

RICH = """
class Rich:
    def _repr_html_(self): return '<b>\\ud800</b>'
    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\nx'
    def _repr_json_(self): return {'a': [1, float('nan')]}
    def _repr_latex_(self): 1/0
    def _repr_svg_(self): return None
    def _repr_markdown_(self): return ('*m*', {'meta': 1})
    def __repr__(self): return 'rich'
"""
BUNDLE = {"text/plain": "rich", "text/html": "<b>\ufffd</b>",
          "image/png": base64.b64encode(b"\x89PNG\r\n\x1a\nx").decode(),
          "application/json": {"a": [1, None]}, "text/markdown": "*m*"}


def test_rich_value(run):
    got = good(run(RICH + "Rich()"))
    assert got.displays == [BUNDLE] and got.value == "rich"


def test_display(run):
    got = good(run(RICH + "display(Rich(), 'a', 1)\n"
                   "display({'text/x': 'y', 1: 2}, raw=True)\n1"))
    assert got.displays == [BUNDLE, {"text/plain": "'a'"},
                            {"text/plain": "1"}, {"text/x": "y"}]


def test_mimebundle(run):
    code = ("class B:\n def _repr_mimebundle_(s, include=None, exclude=None):"
            "\n  return {'text/html': 'h', 'x/y': [1]}, {}\n"
            " def _repr_html_(s): return 'other'\nB()")
    (bundle,) = good(run(code)).displays
    assert bundle.pop("text/plain").startswith("<__main__.B object")
    assert bundle == {"text/html": "h", "x/y": [1]}


def test_rich_class_is_not_its_instance(run):
    assert good(run(RICH + "Rich")).displays == []


def test_displays_are_bounded(run):
    got = good(run("for i in range(9): display(i)", displays=3))
    assert len(got.displays) == 3 and got.dropped == 6
    got = good(run("for i in range(9): display('x' * 400)",
                   displays_bytes=1000))
    assert len(got.displays) == 2 and got.dropped == 7
    got = good(run(RICH + "display(1)\nRich()", displays=1))
    assert len(got.displays) == 1 and got.dropped == 1
    assert got.kinds[-1] == 4


def test_value_that_shows_nothing_is_not_dropped(run):
    got = good(run("class R:\n def _repr_html_(s): return None\n"
                   "display(1)\nR()", displays=1))
    assert len(got.displays) == 1 and got.dropped == 0


def test_low_recursion_limit(run):
    got = good(run("import sys\nsys.setrecursionlimit(40)\n"
                   "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"))
    assert got.value_text == "[" * 20 + "1" + "]" * 20


def test_display_after_its_module_was_broken(run):
    got = good(run(BREAKAGE + "display(1)"))
    assert got.displays == [{"text/plain": "1"}]


# --- with the libraries -------------------------------------------------------

def png(display):
    data = base64.b64decode(display["image/png"])
    assert data.startswith(b"\x89PNG")
    return data


def test_numpy_values(full):
    code = """
import numpy as np
[np.int64(3), np.float32(0.5), np.bool_(True), np.arange(4).reshape(2, 2),
 np.array([1.0, np.nan]), np.array(['a']), np.array([1, 'x', None], object),
 np.float64('inf'), np.complex128(1j), np.datetime64('2020-01-02'),
 {np.int64(1): np.uint8(2)}, np.array(5), np.str_('s'), np.longdouble(1)]
"""
    assert good(full(code)).value == [
        3, 0.5, True, [[0, 1], [2, 3]], [1.0, None], ["a"], [1, "x", None],
        None, "1j", "2020-01-02", {"1": 2}, 5, "s", 1.0]


def test_numpy_without_preload(run):
    assert good(run("import numpy\nnumpy.arange(3)")).value == [0, 1, 2]


def test_huge_array_is_never_a_list(full):
    got = good(full("import numpy\nnumpy.zeros(2 * 10**8, 'u1')"))
    assert got.value.startswith("array([0, 0") and got.seconds < 2
    assert good(full("import numpy\nnumpy.ma.array([1, 2], mask=[0, 1])"))


def test_data_frame(full):
    got = good(full("import pandas as pd\npd.DataFrame({'a': [1, 2]})"))
    (bundle,) = got.displays
    assert "<table" in bundle["text/html"]
    assert got.value == bundle["text/plain"] == "   a\n0  1\n1  2"
    got = good(full("import pandas as pd\npd.Series([1])"))
    (bundle,) = got.displays
    assert set(bundle) == {"text/plain", TABLE}
    assert got.value == bundle["text/plain"] == "0    1\ndtype: int64"


TABLE = "application/vnd.dataresource+json"


def test_data_frame_as_data(full):
    got = good(full("""
import pandas as pd
pd.DataFrame({"n": range(3), "x": [0.1 + 0.2, float("nan"), 1e300],
              "t": pd.to_datetime(["2024-01-02 00:00", None,
                                   "2024-01-03 04:05"]),
              "s": ["a", None, "\u00e9"], "b": True})
"""))
    data = got.displays[0][TABLE]
    assert [(field["name"], field["type"]) for field
            in data["schema"]["fields"]] == [
        ("index", "integer"), ("n", "integer"), ("x", "number"),
        ("t", "datetime"), ("s", "string"), ("b", "boolean")]
    assert data["total_rows"] == 3
    assert [row["x"] for row in data["data"]] == [0.3, None, 1e300]
    assert [row["s"] for row in data["data"]] == ["a", None, "\u00e9"]
    assert data["data"][0]["t"].startswith("2024-01-02T00:00:00")


@pytest.mark.parametrize("code, rows, total", [
    ("pd.DataFrame({'a': range(5000)})", 1000, 5000),
    ("pd.DataFrame({i: range(900) for i in range(100)})", 200, 900),
    ("pd.Series(range(5000), name='a')", 1000, 5000),
    ("pd.DataFrame({'a': [1]}, index=pd.Index([2], name='a'))", 1, 1),
    ("pd.DataFrame({'a': ['x' * 100000] * 50})", 2, 50),
    ("pd.DataFrame({'a': ['x' * 300000] * 50})", None, None),
    ("pd.DataFrame([[1]], columns=[['a'], ['b']])", None, None),
    ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", None, None),
    ("pd.DataFrame({'a': [object()]})", None, None),
    ("pd.DataFrame({'a': [{}]}); pd.DataFrame.to_json = 1; pd.Series([1])",
     None, None)])
def test_data_of_a_table_is_bounded(full, code, rows, total):
    got = good(full("import pandas as pd\n" + code.replace("; ", "\n")))
    assert got.dropped == 0
    data = got.displays[0].get(TABLE) if got.displays else None
    if rows is None:
        assert data is None or len(data["data"]) <= 1
    else:
        assert (len(data["data"]), data["total_rows"]) == (rows, total)


PLOT = "import matplotlib.pyplot as plt\nf = plt.figure(figsize=(1, 1))\n"


@pytest.mark.parametrize("interpreter", ["run", "full"])
def test_figures(interpreter, request):
    run = request.getfixturevalue(interpreter)
    got = good(run(PLOT + "plt.plot([1]); plt.show()\nplt.get_fignums()"))
    assert png(got.displays[0]) and len(got.displays) == 1
    assert got.displays[0]["text/plain"].startswith("<Figure size 100x100")
    assert got.value == [] and got.err == b""


@pytest.mark.parametrize("code, count", [
    (PLOT, 1), (PLOT + "f", 1), (PLOT + "display(f)", 1),
    (PLOT + "display(f)\nf", 1), (PLOT + "plt.show()\nf", 1),
    (PLOT + "f.show()", 1), (PLOT + "plt.close()", 0),
    (PLOT + "plt.show()\nplt.show()", 1),
    (PLOT + "display(f)\nplt.plot([1])", 2),
    (PLOT + "plt.figure(figsize=(2, 1));", 2),
    (PLOT + "display(f)\ndisplay(f)", 2), (PLOT + "1/0", 1),
    ("from matplotlib.figure import Figure\nFigure((1, 1))", 1),
    ("import matplotlib; matplotlib.use('Agg')\n" + PLOT + "plt.show()", 1),
    ("from pylab import *\nfigure(figsize=(1, 1)); plot([1]); show()", 1),
])
def test_figure_appears_once(full, code, count):
    got = full(code)
    assert len(got.displays) == count and got.ended
    assert got.error is None or "1/0" in code
    for display in got.displays:
        png(display)


def test_figure_that_cannot_be_drawn(full):
    got = good(full(PLOT + "plt.title(r'$\\frac{$');"))
    assert b"figure 1 could not be drawn" in got.err and not got.displays
    got = full(PLOT + "plt.title(r'$\\frac{$')\nplt.show()")
    assert got.error[0] == "ValueError" and "_terrarium" not in got.error[1]


def test_figures_are_bounded(full):
    got = good(full(PLOT + "for i in range(4):\n plt.figure(figsize=(1, 1))\n"
                    "plt.show()", displays=2))
    assert len(got.displays) == 2 and got.dropped == 3


def test_deadline_while_drawing(full):
    got = full("import matplotlib.pyplot as plt\nwhile True:\n"
               "  plt.plot(range(1000)); plt.show()", timeout=0.3,
               displays=10**6, displays_bytes=10**9)
    assert got.error[0] == "timeout" and got.ended


def test_wide_text(full, tmp_path):
    """Chinese is drawn with a fallback font, whatever the style says."""
    fonts = [os.environ.get("TERRARIUM_TEST_FONT", ""),
             "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"]
    font = next((name for name in fonts if os.path.exists(name)), None)
    if font is None:
        pytest.skip("no wide font; TERRARIUM_TEST_FONT may name one")
    code = f"""
import matplotlib.font_manager as fm
if not any(f.name == 'Droid Sans Fallback' for f in fm.fontManager.ttflist):
    fm.fontManager.addfont({font!r})
import matplotlib.pyplot as plt
plt.rcParams['font.family'] = ['sans-serif']
plt.figure(figsize=(2, 2)); plt.title('abc \u4e2d\u6587 -1')
plt.show()
"""
    interpreter = Interpreter("")
    got = good(interpreter(code))
    interpreter.close()
    assert got.err == b"" and png(got.displays[0])


def test_logging_is_flushed_after_a_rehearsal(full):
    got = good(full("import logging, logging.handlers, sys\n"
                    "print(logging.lastResort.level)\n"
                    "logging.warning('early')\n"
                    "held = logging.handlers.MemoryHandler(9, 99, "
                    "logging.StreamHandler(sys.stdout))\n"
                    "logging.getLogger('x').addHandler(held)\n"
                    "logging.getLogger('x').error('late')"))
    assert got.out == b"30\nlate\n" and b"early" in got.err


# Handlers, as programs make them and lose them again; text that one has
# buffered is still printed at the end.
HELD = ("import logging, logging.handlers, sys\n"
        "held = logging.handlers.MemoryHandler(9, 99, "
        "logging.StreamHandler(sys.stdout))\n"
        "logging.getLogger('x').addHandler(held)\n"
        "logging.getLogger('x').error('late')\n")


@pytest.mark.parametrize("after", [
    "for name in [n for n in sys.modules if n.startswith('logging')]:\n"
    "    del sys.modules[name]",
    "logging.shutdown = print",
    "for _ in range(3): logging.NullHandler()",
    "import atexit\natexit.register(logging.getLogger('x').error, 'last')",
])
def test_logging_is_flushed_whatever_becomes_of_it(full, after):
    got = good(full(HELD + after))
    assert got.out.startswith(b"late\n") and got.err == b""
    assert ("last" in after) == got.out.endswith(b"last\n")


def test_logging_ends_after_what_libraries_register(tmp_path, monkeypatch):
    """As it would have: it was imported first."""
    (tmp_path / "library.py").write_text(
        "import atexit, logging\n"
        "atexit.register(lambda: logging.getLogger('x').error('bye'))\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    interpreter = Interpreter("library")
    got = good(interpreter(HELD))
    interpreter.close()
    assert got.out == b"late\nbye\n"


def test_display_comes_back(run):
    assert good(run("import builtins\ndel builtins.display\n1")).value == 1
    assert good(run("display(1)", displays=1,
                    displays_bytes=1000)).displays


def test_no_guest_has_the_second_half_of_a_pair(full):
    """random.gauss() draws two and keeps one."""
    assert good(full("import random\nrandom._inst.gauss_next")).value is None


def test_streams_are_made_before_the_job(run):
    got = good(run("import sys\nid(sys.stdout)",
                   peek="id(runner.run.__globals__['_Ready'].streams[1])"))
    assert got.peeked == str(got.value)


# --- the interpreter's half --------------------------------------------------------

def test_every_file_is_in_the_table():
    files = [(path.stem, path.parent.name) for path in SANDBOX.glob("*/*.py")]
    assert sorted(files) == sorted(runner_files().items())


@pytest.mark.parametrize("name", runner_files())
def test_files_have_builtins_of_their_own(name):
    """Whatever the program puts into builtins."""
    load_runner()
    module = sys.modules[f"_terrarium.{name}"]
    assert vars(module)["__builtins__"] is \
        sys.modules["_terrarium.own"].BUILTINS


def test_preload_leaves_nothing_open(full):
    assert full.facts["threads"] == 1 and full.facts["fds"]


def test_packages(full, run):
    rows = full.facts["packages"]["packages"]
    names = [row["name"].lower() for row in rows]
    assert names == sorted(set(names))
    found = {row["name"]: row for row in rows}
    assert found["numpy"]["preloaded"] and found["numpy"]["version"]
    rows = run.facts["packages"]["packages"]
    assert not {row["name"]: row for row in rows}["numpy"]["preloaded"]


FOLDER = str(pathlib.Path(__file__).resolve().parent)
VERSIONS = """
import importlib.metadata, json, os, sys
os.makedirs("dist-packages")
sys.path.insert(0, os.path.abspath("dist-packages"))

def make(name, stated, module="", text="", file="__init__.py"):
    module = module or name
    folder = f"dist-packages/{name}-{stated}.dist-info"
    os.makedirs(folder)
    open(folder + "/METADATA", "w").write(
        f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {stated}\\n"
        "\\nName: its-text\\nVersion: 9\\n")
    open(folder + "/top_level.txt", "w").write(module)
    os.makedirs(f"dist-packages/{module}")
    open(f"dist-packages/{module}/__init__.py", "w").write("")
    open(f"dist-packages/{module}/{file}", "w").write(text)

make("told", "1.2.3", text="__version__ = '9'")
make("in-source", "0.0.0", "in_source", "x = 1\\n__version__ = '1.2.1'\\n")
make("beside", "0.0.0", text="__version__ = version = '1.1.0'\\n",
     file="version.py")
make("pure-of", "0.0.0", "pure_of",
     "try: pass\\nexcept: __version__ = '???'\\nraise SystemExit")
make("repacked", "0.0.0", text='__version__ = "unknown"')
make("unknown", "0.0.0")
make("loaded", "0.0.0", text="__version__ = str(7) + '.1'")
import loaded
rows = json.loads(runner.packages(
    b"pure-of 1:0.2.2-1+b1\\nrepacked 0.14.0+dfsg-2\\ntold 7-1\\nmad\\n"))
print(json.dumps({row["name"]: row["version"] for row in rows["packages"]}))
"""


def test_versions_of_packages(tmp_path):
    """By metadata, the module that is loaded, its source, and dpkg. No module
    is imported for it."""
    done = subprocess.run(
        [PYTHON, "-c", f"import sys; sys.path.insert(0, {FOLDER!r})\n"
         "import test_runner\nrunner = test_runner.load_runner()\n"
         "import os; os.chdir(sys.argv[1])\n"
         "runner.preload('', '')\n" + VERSIONS, str(tmp_path)],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {name: found[name] for name in (
        "told", "in-source", "beside", "pure-of", "repacked", "unknown",
        "loaded")} == {
        "told": "1.2.3", "in-source": "1.2.1", "beside": "1.1.0",
        "pure-of": "0.2.2", "repacked": "0.14.0", "unknown": "0.0.0",
        "loaded": "7.1"}


def test_preload_fails_with_the_name():
    runner = load_runner()
    with pytest.raises(ImportError, match="no_such_module"):
        runner.preload("json no_such_module", "")


def test_python_path_comes_before_the_distribution(tmp_path):
    """With the directories of .pth files; behind the standard library."""
    first, second, more = (tmp_path / name for name in ("a", "b", "more"))
    for folder in (first, second, more):
        folder.mkdir()
    (first / "only_here.py").write_text("x = 1")
    (second / "more.pth").write_text("../more\nno/such/place\n")
    runner, path = load_runner(), sys.path[:]
    at = next(number for number, folder in enumerate(path)
              if folder.endswith("/dist-packages"))
    try:
        runner.preload("only_here", f"{first}::{second}:")
        assert sys.path == [*path[:at], str(first), str(second), str(more),
                            *path[at:]]
    finally:
        sys.path[:] = path


def test_guests_differ(full):
    code = ("import random, numpy, uuid, tempfile, secrets\n"
            "[random.random(), numpy.random.rand(), str(uuid.uuid1())[9:],"
            " tempfile.mktemp(), secrets.token_hex(),"
            " numpy.random.default_rng().random(),"
            " numpy.random.RandomState().rand()]")
    first, second = good(full(code)).value, good(full(code)).value
    assert all(a != b for a, b in zip(first, second))


@pytest.mark.parametrize("look", [
    "'<exec>' in __import__('linecache').cache",
    "vars(sys.modules['__main__']).get('x')",
])
def test_rehearsal_leaves_no_trace(run, look):
    assert run("1", peek=look).peeked in ("False", "None")


def test_rehearsal_leaves_streams_and_state(run):
    got = good(run("import sys, os, warnings\n"
                   "[len(os.listdir('/proc/self/fd')),"
                   " sys.getrecursionlimit(), hasattr(sys, 'last_value')]"))
    assert got.value == [5, 1000, False]  # 0, 1, 2, result, the listing
    assert got.out == b"" and got.err == b""


def test_random_state_survives_rehearsal():
    runner = load_runner()
    import random
    before = random.getstate()
    main, out, path = sys.modules["__main__"], sys.stdout, sys.path[:]
    runner.rehearse()
    assert random.getstate() == before
    assert sys.modules["__main__"] is main and sys.stdout is out
    assert sys.path == path


def test_names_of_temporary_files_differ():
    pid = os.fork()
    if pid == 0:
        import tempfile
        runner = load_runner()
        tempfile.mktemp()
        runner.after_fork()
        os._exit(tempfile._name_sequence is not None)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.timed
def test_one_plus_one_is_fast(full):
    """Far from exact on a busy machine: the order of magnitude."""
    code = "1+1"
    best = min(good(full(code)).seconds for _ in range(10))
    assert best < 0.05


# --- options of a job ----------------------------------------------------------

@pytest.mark.parametrize("code, error", [
    ("print(1)\n1+1", None), ("await f()", None), ("", None),
    ("def f(:", "SyntaxError"), ("  x = 1\n y", "IndentationError"),
    ("return 1", "SyntaxError"), ("x = '\0'", "ValueError"),
])
def test_compile_only(run, code, error):
    got = run(code, task=COMPILE)
    assert (got.error[0] if got.error else None) in (error, "SyntaxError")
    assert (got.error is None) == (error is None)
    assert not got.started and got.out == b"" and got.value_text is None
    assert got.exit_code == (1 if error else 0)


@pytest.mark.parametrize("value", [JSON, REPR, STRICT])
def test_compile_only_has_no_value(run, value):
    assert good(run("1", task=COMPILE, value=value)).value_text is None


def check(run, code, allow=""):
    return run(code, task=PARSE, arguments=allow, call_main=False)


def test_compile_finds_what_parsing_does_not(run):
    assert check(run, "return 1").error is None
    assert run("return 1", task=COMPILE).error[0] == "SyntaxError"


@pytest.mark.parametrize("code, allow, findings", [
    ("", "", ""), ("x = len(days)", "", ""),
    ("import os, sys as s", '["sys"]', "import of os is not allowed (line 1)"),
    ("def f():\n  from a.b import c\n  import z.y", '["a", "z"]', ""),
    ("from . import x", '["x"]', "import of . is not allowed (line 1)"),
    ("print('no')", "", "call of print is not allowed (line 1)"),
    ("\n[a for b in days]", "", "name a is not allowed (line 2)"),
    ("slots.__mro__", "[]", "attribute __mro__ is not allowed (line 1)"),
])
def test_parse_checks_a_snippet(run, code, allow, findings):
    got = good(check(run, code, allow))
    assert got.value == findings and got.out == b"" and not got.started


def test_parse_tells_findings_in_the_order_of_the_source(run):
    code = "eval(b)\nimport a\n" + "c\n" * 30
    words = good(check(run, code)).value.split("; ")
    assert words[:3] == ["call of eval is not allowed (line 1)",
                         "name b is not allowed (line 1)",
                         "import of a is not allowed (line 2)"]
    assert len(words) == 21 and words[-1] == "and 13 more"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a newer syntax")
def test_parse_knows_parameters_of_types(run):
    assert good(check(run, "def f[T, *S](x: T): return S")).value == ""


def test_parse_only_refuses_what_is_no_python(run):
    got = check(run, "x = (")
    assert got.error[0] == "SyntaxError" and not got.started


@pytest.mark.parametrize("code, started", [
    ("1", True), ("1/0", True), ("def f(:", False),
    ("import sys; sys.exit(3)", True)])
def test_start_is_told(run, code, started):
    assert run(code).started == started


def test_start_is_not_told_of_bad_arguments(run):
    got = run("def main(): pass", arguments="[]")
    assert got.error[0] == "TypeError" and not got.started


@pytest.mark.parametrize("code, exit_code", [
    ("1", 0), ("import sys; sys.exit()", 0), ("import sys; sys.exit(0)", 0),
    ("import sys; sys.exit(3)", 3), ("import sys; sys.exit(-1)", 255),
    ("import sys; sys.exit(256)", 1), ("import sys; sys.exit('x')", 1),
    ("import sys; sys.exit(2.5)", 1), ("1/0", 1), ("def f(:", 1),
    ("raise SystemExit(10**30)", 1),
    ("class I(int):\n def __and__(s, o): 1/0\nraise SystemExit(I(7))", 7),
])
def test_exit_code(run, code, exit_code):
    assert run(code).exit_code == exit_code


@pytest.mark.parametrize("code, text", [
    ("1", "1"), ("'a'", "'a'"), ("[1, (2,)]", "[1, (2,)]"),
    ("float('nan')", "nan"), ("...", "Ellipsis"),
    ("class R:\n def __repr__(s): 1/0\nR()", "<repr failed: "
     "ZeroDivisionError>"),
])
def test_repr_value(run, code, text):
    assert good(run(code, value=REPR)).value == text


def test_repr_of_none_is_no_value(run):
    assert good(run("None", value=REPR)).value_text is None


def test_repr_value_is_cut(run):
    got = good(run("'x' * 10**6", value=REPR, value_bytes=100))
    assert len(got.value_text) <= 100
    assert got.value.endswith("x ... 999,944 more characters")


@pytest.mark.parametrize("value", [
    "None", "1", "True", "1.5", "'\u00e9'", "[1, [2, None]]", "[]", "{}",
    "{'a': {'b': [1]}}", "(1, 2)", "2**200", "'\\ud800'",
])
def test_strict_value(run, value):
    want = {"(1, 2)": [1, 2], "'\\ud800'": "\ufffd"}
    got = good(run(f"def main(): return {value}", arguments={}, value=STRICT))
    assert got.value == (want[value] if value in want else eval(value))
    assert got.value_text is not None


@pytest.mark.parametrize("value, words", [
    ("{1}", "set is not JSON"), ("b''", "bytes is not JSON"),
    ("object()", "object is not JSON"), ("float('nan')", "nan is not JSON"),
    ("[1, float('inf')]", "inf is not JSON (at [1])"),
    ("{(1,): 2}", "a key that is tuple is not JSON"),
    ("{'a': [0, {'b': 1j}]}", "complex is not JSON (at ['a'][1]['b'])"),
    ("x", "a value that holds itself is not JSON (at [0])"),
    ("deep", "more than 64 values inside one another"),
    ("'x' * 10**6", "it takes more than 65536 bytes as JSON"),
    ("10**200000", "an int of that size"), ("10**4300", "an int of that size"),
])
def test_strict_value_that_is_none(run, value, words):
    got = run("x = []; x.append(x)\ndeep = []\n"
              "for i in range(100): deep = [deep]\n"
              f"def main(): return {value}", arguments={}, value=STRICT)
    assert got.error[0] == "TypeError" and got.value_text is None
    assert got.error[1].startswith("TypeError: the value must be JSON: ")
    assert words in got.error[1]
    assert got.exit_code == 1


def test_merged_output_keeps_its_order(run):
    got = good(run("import sys, os\n"
                   "print('a', end=''); print('b', file=sys.stderr)\n"
                   "sys.stderr.write('c'); print('d')\n"
                   "sys.stdout.flush(); os.write(2, b'e\\n')\n"
                   "import threading\n"
                   "t = threading.Thread(target=lambda: 1/0)\n"
                   "t.start(); t.join(); print('z', end='')",
                   merge_output=True))
    assert got.err == b"" and got.out.startswith(b"ab\ncd\ne\nException")
    assert got.out.endswith(b"division by zero\nz")


def test_merged_output_of_closed_streams(run):
    got = good(run("import sys\nsys.stdout.close()\n"
                   "try: print('x', file=sys.stderr)\n"
                   "except ValueError: pass", merge_output=True))
    assert got.err == b""


def test_what_a_program_raises_itself_is_no_refused_call(run):
    assert run("raise PermissionError(1, 'x')").refused is None


# --- forks and chance ---------------------------------------------------------

def in_fork(act):
    """The result of ACT in a child, as text."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write, str(act()).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    assert os.waitpid(pid, 0)[1] == 0
    return text


def forks_of(caller, **hooks):
    """Hooks of a library named CALLER, as an interpreter and its guest run
    them: the names of the hooks that ran."""
    def act():
        load_runner()
        ran = []
        made = {name: (lambda label=label: ran.append(label))
                for name, label in hooks.items()}
        exec("import os\nos.register_at_fork(**made)",
             {"__name__": caller, "made": made})
        sys.modules["_terrarium.forks"].stop_collecting()
        ran.append("|")
        sys.modules["_terrarium.forks"].run_hooks()
        return " ".join(ran)
    return in_fork(act)


def test_hooks_of_libraries_run_around_the_fork():
    assert forks_of("somebody", before="b", after_in_child="c",
                    after_in_parent="p") == "b | c"


def test_hooks_that_are_not_needed_do_not_run():
    assert forks_of("logging", before="b", after_in_child="c") == "|"


def test_programs_register_with_python_itself():
    def act():
        real = os.register_at_fork
        load_runner()
        kept = os.register_at_fork is not real
        sys.modules["_terrarium.forks"].stop_collecting()
        return kept and os.register_at_fork is real
    assert in_fork(act) == "True"


@pytest.mark.parametrize("draw", [
    "numpy.random.random()", "numpy.random.normal()",
    "numpy.random.RandomState().random_sample()", "random.random()",
    "numpy.random.default_rng().random()", "uuid.uuid1().hex"])
def test_guests_draw_different_numbers(full, draw):
    code = f"import numpy, random, uuid\n{draw}"
    drawn = [good(full(code)).value for _ in range(6)]
    assert len(set(drawn)) == len(drawn)


def test_numpy_is_seeded_in_full(full):
    """624 words from the kernel, none of them used yet."""
    got = good(full("import numpy as np\nname, key, at, gauss, _ = "
                    "np.random.get_state()\n"
                    "[name, len(set(key)) > 600, int(at), int(gauss),"
                    " bool(0.4 < np.random.random(10000).mean() < 0.6)]"))
    assert got.value == ["MT19937", True, 624, 0, True]


@pytest.mark.parametrize("make, draw", [
    ("numpy.random.default_rng()", "random()"),
    ("numpy.random.Generator(numpy.random.Philox())", "random()"),
    ("numpy.random.RandomState()", "random_sample()"),
    ("type('Own', (random.Random,), {})()", "random()")])
def test_generators_that_libraries_keep_are_seeded(make, draw):
    pytest.importorskip("numpy")

    def act():
        load_runner()
        made = {}
        exec(f"import numpy, random\nkept = {make}", made)
        chance = sys.modules["_terrarium.chance"]
        chance.find_generators()

        def guest():
            chance.reseed()
            return eval(f"kept.{draw}", made)
        return len({in_fork(guest) for _ in range(4)})
    assert in_fork(act) == "4"
