"""The runner: what a program finds, await, main(), and its end."""

import pytest

from jobs import good

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
