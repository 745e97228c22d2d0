"""The door of Python Discord's snekbox, row by row of its contract, with the
intents of snekbox's own tests."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

import pytest
from client import Client, Reply, b64

SCHEMA = "Request data failed validation"
FILE = "Request file is invalid"
TYPE = "application/json; charset=utf-8"


def ask(client: Client, fields: Any, kind: Optional[str] = TYPE) -> Reply:
    body = fields if isinstance(fields, bytes) else json.dumps(fields)
    return client.request("POST", "/eval", body,
                          {"Content-Type": kind} if kind else {})


def evaluate(client: Client, fields: Any) -> dict[str, Any]:
    reply = ask(client, fields)
    assert reply.status == 200, reply.body[:300]
    assert reply.header("Content-Type") == "application/json"
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    got = reply.json()
    assert list(got) == ["stdout", "returncode", "files"]
    return got


def run(client: Client, code: str, *args: str) -> dict[str, Any]:
    return evaluate(client, {"args": ["-c", code, *args]})


def out(client: Client, args: list[str], code: int = 0,
        **fields: Any) -> str:
    got = evaluate(client, {"args": args, **fields})
    assert got["returncode"] == code, got
    return got["stdout"]


def sent(path: str, content: str = "") -> dict[str, str]:
    return {"path": path, "content": b64(content)}


def refused(reply: Reply, status: int, title: str,
            description: str) -> None:
    assert reply.status == status, reply.body
    got = reply.json()
    assert list(got) == ["title", "description"]
    assert got["title"] == title
    assert description in got["description"], got


# -- the original's tests of a whole server


@pytest.mark.parametrize("fields", [
    {"input": "print('Hello')"}, {"args": ["-c", "print('Hello')"]},
    {"input": "print('Hello')", "args": ["-c"]},
    {"input": "print('Hello')", "args": ["", "", "-c"]},
    {"args": ["", "-c", "print('Hello')"], "unknown": 1},
    {"args": ["-cprint('Hello')"]},
    {"args": ["main.py"], "files": [sent("main.py", "print('Hello')")]},
    {"args": ["./x/main.py"], "files": [sent("x/main.py",
                                             "print('Hello')")]},
])
def test_hello(client: Client, fields: dict[str, Any]) -> None:
    assert evaluate(client, fields) == {"stdout": "Hello\n", "returncode": 0,
                                        "files": []}


def test_a_package_and_the_files_it_leaves(client: Client) -> None:
    got = evaluate(client, {"args": ["main.py"], "files": [
        sent("main.py", "from mod import lib\nlib.work()\n"),
        {"path": "mod/__init__.py"},
        sent("mod/lib.py", "import pathlib\ndef work():\n"
             "    pathlib.Path('dir').mkdir()\n"
             "    pathlib.Path('test.txt').write_text('one')\n"
             "    pathlib.Path('dir/test2.txt').write_text('two')\n")]})
    assert got == {"stdout": "", "returncode": 0, "files": [
        {"path": "dir/test2.txt", "size": 3, "content": b64("two")},
        {"path": "test.txt", "size": 3, "content": b64("one")}]}


def test_three_at_once_may_hold_33_mb(client: Client) -> None:
    assert out(client, ["-c", "' ' * 33000000"]) == ""


# -- arguments of the interpreter


def test_what_a_program_sees(client: Client) -> None:
    look = "import sys; print(__name__, sys.argv)"
    assert out(client, ["-c", look, "a", "", "-b"]) == \
        "__main__ ['-c', 'a', '', '-b']\n"
    assert out(client, ["main.py", "x y", "\u00e9"], files=[
        sent("main.py", look)]) == \
        "__main__ ['main.py', 'x y', '\u00e9']\n"
    assert out(client, ["-m", "pack.mod", "1"], files=[
        sent("pack/__init__.py"), sent("pack/mod.py", look)]).endswith(
            "/pack/mod.py', '1']\n")


def test_timeit(client: Client) -> None:
    """The fixed part of the bot's wrapper."""
    setup = ("import atexit, sys\nfrom collections import deque\n"
             "if not hasattr(sys, '_setup_finished'):\n"
             "    class Writer(deque):\n"
             "        def __init__(self): super().__init__(maxlen=1)\n"
             "        def write(self, string):\n"
             "            if string.strip(): self.append(string)\n"
             "        def read(self): return self.pop()\n"
             "        def flush(self): pass\n"
             "    sys.stdout = Writer()\n"
             "    def print_last_line():\n"
             "        if sys.stdout: print(sys.stdout.read(),"
             " file=sys.__stdout__)\n"
             "    atexit.register(print_last_line)\n"
             "    sys._setup_finished = None\n")
    text = out(client, ["-m", "timeit", "-n", "20", "-s", setup,
                        "print('hidden')"])
    # A warning may precede it on a busy machine.
    assert "20 loops, best of 5: " in text and "hidden" not in text


@pytest.mark.parametrize("args", [[], [""], ["-"], ["-i"], ["-u", "-"],
                                  ["-", "x"], ["-B"]])
def test_an_empty_program(client: Client, args: list[str]) -> None:
    assert out(client, args) == ""


def test_options(client: Client) -> None:
    for option in ("-I", "-E", "-s", "-S", "-B", "-u", "-q", "-b", "-uB"):
        assert out(client, [option, "-c", "print(1)"]) == "1\n"
    assert out(client, ["-X", "dev", "-Ximporttime", "-c", "print(1)"]) == \
        "1\n"
    check = "print(__debug__)\nassert False"
    assert out(client, ["-O", "-c", check]) == "False\n"
    assert "AssertionError" in out(client, ["-c", check], 1)
    warn = "import warnings\nwarnings.warn('old', DeprecationWarning)"
    assert "DeprecationWarning: old" in out(
        client, ["-W", "error", "-c", warn], 1)
    assert out(client, ["-Wignore", "-c", warn]) == ""
    version = "Python %d.%d." % sys.version_info[:2]
    for option in ("-V", "--version", "-VV"):
        assert out(client, [option]).startswith(version)


@pytest.mark.parametrize("args, words", [
    (["-z"], "Unknown option: -z\nusage: python3 "),
    (["--odd"], "Unknown option: --odd\n"),
    (["-c"], "Argument expected for the -c option\n"),
    (["-m"], "Argument expected for the -m option\n"),
    (["-W"], "Argument expected for the -W option\n"),
    (["-X"], "Argument expected for the -X option\n"),
    (["gone.py"], "can't open file 'gone.py': [Errno 2] No such file"),
    (["../main.py", "x"], "can't open file '../main.py'"),
])
def test_wrong_arguments(client: Client, args: list[str],
                         words: str) -> None:
    assert words in out(client, args, 2)


def test_a_module_that_is_missing(client: Client) -> None:
    assert "No module named no_such" in out(client, ["-m", "no_such"], 1)


@pytest.mark.parametrize("path", [
    "", "/usr/bin/python3", "/snekbin/python/3.14t/bin/python",
    "/snekbin/python/default/bin/python3.13", "/x/python3.14j"])
def test_any_interpreter_is_ours(client: Client, path: str) -> None:
    assert out(client, ["-c", "print(1)"], executable_path=path) == "1\n"


@pytest.mark.parametrize("path", [
    "/bin/sh", "python", "/x/python3.x", "/x/pythons", "/abc/def",
    "/usr/bin/", "/x/python3\0"])
def test_another_executable(client: Client, path: str) -> None:
    refused(ask(client, {"input": "1", "executable_path": path}), 400,
            "executable_path does not exist", "does not exist")


# -- ends of a program


@pytest.mark.parametrize("code, returncode", [
    ("", 0), ("1", 0), ("import sys; sys.exit()", 0),
    ("import sys; sys.exit(0)", 0), ("import sys; sys.exit(7)", 7),
    ("import os; os._exit(9)", 9), ("1/0", 1), ("(", 1), ("%time 1", 1),
    ("import sys; sys.exit('words')", 1),
    ("import ctypes; ctypes.string_at(1)", 139),
    ("import os; os.abort()", 134),
    ("import os; os.kill(os.getpid(), 9)", 137),
])
def test_codes(client: Client, code: str, returncode: int) -> None:
    assert run(client, code)["returncode"] == returncode


def test_a_traceback_as_python_prints_it(client: Client,
                                         tmp_path: Path) -> None:
    code = "def f():\n    raise ValueError('why')\nf()\n"
    (tmp_path / "main.py").write_text(code)
    printed = subprocess.run([sys.executable, "main.py"], cwd=tmp_path,
                             capture_output=True, text=True).stderr
    assert "ValueError: why\n" in printed
    assert out(client, ["main.py"], 1, files=[sent("main.py", code)]) == \
        printed.replace(f"{tmp_path}/", "")
    text = out(client, ["-c", "input()"], 1)
    assert text.endswith("\nEOFError: EOF when reading a line\n")
    assert '  File "<string>", line 1, in <module>\n' in text
    assert out(client, ["-c", "import sys; sys.exit('words')"], 1) == \
        "words\n"
    assert "runner" not in out(client, ["-m", "timeit", "1/0"], 1)


def test_both_streams_in_order(client: Client) -> None:
    assert out(client, ["-c", "import sys\nfor i in range(3):\n"
                        "    print('out', i)\n"
                        "    print('err', i, file=sys.stderr)"]) == \
        "out 0\nerr 0\nout 1\nerr 1\nout 2\nerr 2\n"


def test_text_and_bytes(client: Client) -> None:
    assert out(client, ["-c", "print('\U0001f40d')"]) == "\U0001f40d\n"
    assert out(client, ["-c", "print('a\\rb')"]) == "a\rb\n"
    assert out(client, ["-c", "import os; os.write(1, b'\\xff')"]) == "\ufffd"
    assert out(client, ["-c", "print('\\ud800')"]) == "\ufffd\n"


def test_memory(client: Client) -> None:
    got = run(client, "a = []\nwhile True: a.append(bytearray(1 << 24))")
    assert got["returncode"] in (1, 137)
    assert got["returncode"] == 137 or "MemoryError" in got["stdout"]


def test_too_much_output(client: Client) -> None:
    got = run(client, "print('x' * 2000000)")
    assert got["returncode"] == 143
    assert got["stdout"].startswith("x" * (1 << 20))
    assert got["stdout"].endswith("[output was cut: 951425 bytes are "
                                  "missing]\n")
    got = run(client, "while True: print('x' * 65536)")
    assert got["returncode"] == 143 and got["stdout"].startswith("xxx")


def test_walls(client: Client) -> None:
    assert "Error" in out(client, ["-c", "open('/etc/passwd', 'w')"], 1)
    for code in ("import os; os.fork()", "import subprocess\n"
                 "subprocess.run('ls')"):
        assert "PermissionError" in out(client, ["-c", code], 1)


def test_a_file_is_too_large_for_home(client: Client) -> None:
    text = out(client, ["-c", "f = open('x', 'wb')\n"
                        "while True: f.write(bytes(1 << 20)); f.flush()"], 1)
    assert "OSError" in text


# -- files out


def test_files_of_an_answer(client: Client) -> None:
    got = run(client, "import os\n"
              "for name in ('b', 'a/x', 'a.b', '_no', 'a/_no', '_d/yes',"
              " '.no', '.d/no', 'a/.no', '\U0001f40d.txt'):\n"
              "    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)\n"
              "    open(name, 'w').write(name)\n"
              "open('raw', 'wb').write(bytes(range(256)))\n"
              "open(b'\\xff', 'w').write('no text')\n"
              "os.symlink('/etc/passwd', 'link')\n1/0")
    assert got["returncode"] == 1
    names = [row["path"] for row in got["files"]]
    assert names == ["_d/yes", "a/x", "a.b", "b", "raw", "\U0001f40d.txt"]
    rows = {row["path"]: row for row in got["files"]}
    assert rows["raw"] == {"path": "raw", "size": 256, "content":
                           base64.b64encode(bytes(range(256))).decode()}


def test_a_hundred_files_at_most(client: Client) -> None:
    got = run(client, "for i in range(120): open(f'{i:03}', 'w').write('x')")
    left = len(got["files"])
    assert left <= 100
    assert [row["path"] for row in got["files"]] == sorted(
        row["path"] for row in got["files"])
    assert got["stdout"] == f"[{120 - left} files were left out]\n"


def test_a_changed_input_comes_back(client: Client) -> None:
    got = evaluate(client, {
        "args": ["-c", "open('b', 'a').write('!')"],
        "files": [sent("a", "x"), sent("b", "y")]})
    assert got["files"] == [{"path": "b", "size": 2, "content": b64("y!")}]


# -- files in


@pytest.mark.parametrize("path", [
    "file.txt", "./0.jpg", "path/to/file", "folder/../hm",
    "folder/./to/./somewhere", "traversal/but/../not/beyond/../root",
    "backslash\\\\okay", "backslash\\okay", "numbers/0123456789",
    "with space", "a//b", "a/b/../../c", "x/..hidden", "\u00e9"])
def test_paths(client: Client, path: str) -> None:
    assert out(client, ["-c", f"import os.path\n"
                        f"print(open(os.path.normpath({path!r})).read())"],
               files=[sent(path, "here")]) == "here\n"


@pytest.mark.parametrize("path", ["../secrets", "../../dir",
                                  "dir/../../secrets",
                                  "dir/././../../secrets", ".."])
def test_paths_that_leave_home(client: Client, path: str) -> None:
    refused(ask(client, {"args": ["test.py"], "files": [sent(path)]}), 400,
            FILE, f"File path '{path}' may not traverse beyond root")


@pytest.mark.parametrize("path", [
    "/", "/etc", "/etc/vars/secrets", "/absolute", r"etc/passwd\0", r"a\0b",
    r"\0", r"\\0", r"var/\0/path", "nul\0"])
def test_paths_that_do_not_match(client: Client, path: str) -> None:
    refused(ask(client, {"args": ["test.py"], "files": [sent(path)]}), 400,
            SCHEMA, "does not match")


@pytest.mark.parametrize("content, bytes_", [
    ("", b""), ("YQ==", b"a"), ("Y Q\n=!=", b"a"), ("YWI=", b"ab"),
    ("YWJj", b"abc"), ("YWJj==", b"abc"), ("YQ==YWJj", b"a")])
def test_base64_as_python_reads_it(client: Client, content: str,
                                   bytes_: bytes) -> None:
    """Python up to 3.12: newer ones read on behind the padding."""
    if sys.version_info < (3, 13) or content != "YQ==YWJj":
        assert base64.b64decode(content) == bytes_
    assert out(client, ["-c", "print(open('f', 'rb').read())"],
               files=[{"path": "f", "content": content}]) == f"{bytes_}\n"


@pytest.mark.parametrize("content", ["Y", "YQ", "YQ=", "YWI", "YWJjZ", "=Y"])
def test_wrong_base64(client: Client, content: str) -> None:
    refused(ask(client, {"args": ["x"], "files": [
        {"path": "test.txt", "content": content}]}), 400, FILE,
        "Invalid base64 encoding for file 'test.txt'")


@pytest.mark.parametrize("names, words", [
    (["dir/test.txt", "dir"], "IsADirectoryError: Failed to create file "
     "'dir'."),
    (["dir", "dir/test.txt"], "Error: Failed to create file 'dir/test.txt'."),
    (["."], "IsADirectoryError: Failed to create file '.'."),
])
def test_files_in_each_others_way(client: Client, names: list[str],
                                  words: str) -> None:
    got = evaluate(client, {"args": ["-c", "1"], "files": [
        sent(name) for name in names]})
    assert words in got["stdout"]
    assert (got["returncode"], got["files"]) == (None, [])


def test_the_last_of_one_name_counts(client: Client) -> None:
    assert out(client, ["./x/../a"], files=[
        sent("a", "print(1)"), sent("./a", "print(2)")]) == "2\n"


def test_source_that_is_no_text(client: Client) -> None:
    assert "not UTF-8" in out(client, ["a"], 2, files=[
        {"path": "a", "content": "/w=="}])


# -- requests


@pytest.mark.parametrize("fields, words", [
    ({"stuff": "foo"},
     "{'stuff': 'foo'} is not valid under any of the given schemas"),
    ({}, "{} is not valid under any of the given schemas"),
    ({"args": 400}, "400 is not of type 'array'"),
    ({"args": None}, "None is not of type 'array'"),
    ({"args": [1.5]}, "1.5 is not of type 'string'"),
    ({"input": ["a", True]}, "['a', True] is not of type 'string'"),
    ({"args": [], "files": [215]}, "215 is not of type 'object'"),
    ({"args": [], "files": "x"}, "'x' is not of type 'array'"),
    ({"args": [], "files": [{}]}, "'path' is a required property"),
    ({"args": [], "files": [{"path": 1}]}, "1 is not of type 'string'"),
    ({"args": [], "files": [{"path": "a", "content": {"b": None}}]},
     "{'b': None} is not of type 'string'"),
    ({"input": "1", "executable_path": 1}, "1 is not of type 'string'"),
    ([], "[] is not of type 'object'"), (215, "215 is not of type 'object'"),
    ("it's", "\"it's\" is not of type 'object'"),
])
def test_the_schema(client: Client, fields: Any, words: str) -> None:
    reply = ask(client, fields)
    refused(reply, 400, SCHEMA, "")
    assert reply.json()["description"] == words


@pytest.mark.parametrize("body", [
    b"", b"{", b"{'input': 'foo'}", b'{"input":"1","input":"2"}', b"\xff",
    b'{"input":"\\ud800"}', b"[" * 100000])
def test_refused_bodies(client: Client, body: bytes) -> None:
    reply = ask(client, body)
    assert reply.status == 400, reply.body
    assert list(reply.json()) == ["title", "description"]
    assert out(client, ["-c", "print(1)"]) == "1\n"


@pytest.mark.parametrize("fields", [{"input": "print(1)\0"},
                                    {"args": ["-c", "1", "\0"]}])
def test_a_nul_in_an_argument(client: Client, fields: dict[str, Any]) -> None:
    assert evaluate(client, fields) == {
        "stdout": "ValueError: embedded null byte", "returncode": None,
        "files": []}


def test_content_types(client: Client) -> None:
    for kind in ("application/json", None):
        assert ask(client, {"input": "1"}, kind).status == 200
    refused(ask(client, b"{'input': 'foo'}", "application/xml"), 415,
            "415 Unsupported Media Type",
            "application/xml is an unsupported media type.")


def test_long_values_are_refused_too(client: Client) -> None:
    refused(ask(client, {"args": "x" * 100000}), 400, SCHEMA, "xxx")
    refused(ask(client, {"args": {"x": [[[["y"] * 1000]]] * 1000}}), 400,
            SCHEMA, "'y'")


def test_errors_before_the_door(client: Client) -> None:
    reply = client.request("GET", "/eval")
    refused(reply, 405, "405 Method Not Allowed", "method")
    assert reply.header("Allow") == "POST"
    refused(client.request("POST", "/eval", "{}", auth=False), 401,
            "401 Unauthorized", "token")


def test_a_token_in_the_address(client: Client, settings: Any) -> None:
    """The bot's one setting is an address."""
    words = f"{settings.name}:{client.token}".encode()
    reply = client.request("POST", "/eval", json.dumps({"input": "print(1)"}), {
        "Content-Type": TYPE, "Authorization":
        "Basic " + base64.b64encode(words).decode()}, auth=False)
    assert reply.json()["stdout"] == "1\n"


def test_options_has_the_methods(client: Client) -> None:
    reply = client.request("OPTIONS", "/eval", auth=False)
    assert (reply.status, reply.header("Allow")) == (200, "POST")
    assert client.request("OPTIONS", "/run").status == 405
    assert client.request("GET", "/eval").header("Allow") == "POST"
