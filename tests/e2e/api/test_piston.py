"""The door of Piston's clients, row by row of its contract, with the intents of
Piston's own tests."""

from __future__ import annotations

import base64
import json
import platform
import sys
from typing import Any, Optional

import pytest
from client import JSON, Client, Reply, finish, head

VERSION = platform.python_version().rstrip("+")
SHORT = "%d.%d" % sys.version_info[:2]
MEMBERS = ["stdout", "stderr", "output", "code", "signal", "message",
           "status", "cpu_time", "wall_time", "memory"]
EXECUTE = "/api/v2/execute"


def ask(client: Client, fields: Any, path: str = EXECUTE,
        kind: Optional[str] = "application/json") -> Reply:
    body = fields if isinstance(fields, bytes) else json.dumps(fields)
    return client.request("POST", path, body,
                          {"Content-Type": kind} if kind else {})


def fields(code: str, **more: Any) -> dict[str, Any]:
    return {"language": "python", "version": "*",
            "files": [{"content": code}], **more}


def execute(client: Client, code: str, path: str = EXECUTE,
            **more: Any) -> dict[str, Any]:
    reply = ask(client, fields(code, **more), path)
    assert reply.status == 200, reply.body[:300]
    assert reply.header("Content-Type") == "application/json"
    got = reply.json()
    assert list(got)[:3] == ["run", "language", "version"]
    assert (got["language"], got["version"]) == ("python", VERSION)
    assert list(got["run"]) == MEMBERS
    assert all(isinstance(got["run"][name], int)
               for name in ("cpu_time", "wall_time", "memory"))
    return got["run"]


def ended(run: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(run[name] for name in ("status", "code", "signal",
                                        "message"))


def refused(client: Client, given: Any, message: str,
            status: int = 400, path: str = EXECUTE) -> None:
    reply = ask(client, given, path)
    assert (reply.status, reply.json()) == (status, {"message": message})


FINE = (None, 0, None, None)


# -- a run


@pytest.mark.parametrize("path", [EXECUTE, "/api/v2/piston/execute"])
def test_hello(client: Client, path: str) -> None:
    run = execute(client, "print('hello')", path)
    assert (run["stdout"], run["stderr"], run["output"]) == (
        "hello\n", "", "hello\n")
    assert ended(run) == FINE
    assert run["memory"] > 100_000 and run["wall_time"] < 60000


def test_the_bots_request(client: Client) -> None:
    """It sends null for what its user did not give."""
    run = execute(client, "import sys\nprint(sys.argv, repr(sys.stdin.read()))",
                  args=None, stdin=None, run_timeout=None,
                  run_memory_limit=None, log=1)
    assert run["output"] == "['file0.code'] '\\n'\n"


def test_stdin(client: Client) -> None:
    look = "import sys\nprint(repr(sys.stdin.read()))"
    for given, seen in (("a\nb", "a\nb\n"), ("a\n", "a\n"), ("", "\n")):
        assert execute(client, look, stdin=given)["stdout"] == f"{seen!r}\n"
    run = execute(client, "print(repr(input()))\ninput()")
    assert run["stdout"] == "''\n" and run["code"] == 1
    assert run["stderr"].endswith("EOFError: EOF when reading a line\n")


def test_arguments_and_the_files_name(client: Client) -> None:
    run = execute(client, "", files=[
        {"name": "x/main.py", "content": "import sys\nprint(__name__, "
         "sys.argv)\n1 / 0"}], args=["1", "", "a b", "\u00e9"])
    assert run["stdout"] == \
        "__main__ ['x/main.py', '1', '', 'a b', '\u00e9']\n"
    assert 'File "x/main.py", line 3, in <module>' in run["stderr"]


def test_files(client: Client) -> None:
    """All are written; the first one of text runs."""
    run = execute(client, "", files=[
        {"name": "data/pixel.bin", "encoding": "base64",
         "content": base64.b64encode(bytes(range(256))).decode()},
        {"name": "hex.bin", "encoding": "hex", "content": "00fFa0"},
        {"content": "import other, pathlib\n"
         "print(other.name, len(pathlib.Path('data/pixel.bin').read_bytes()),"
         " pathlib.Path('hex.bin').read_bytes(),"
         " pathlib.Path('file2.code').exists())"},
        {"name": "other.py", "content": "name = 'other'"},
        {"name": "empty", "content": "", "encoding": "latin1"}])
    assert run["output"] == "other 256 b'\\x00\\xff\\xa0' True\n"


def test_of_two_files_of_a_name_the_last_one_counts(client: Client) -> None:
    twice = [{"name": "a.py", "content": "print(1)"},
             {"name": "a.py", "content": "print(2)"}]
    assert execute(client, "", files=twice)["stdout"] == "2\n"


def test_files_come_back_if_they_are_asked_for(client: Client) -> None:
    code = "open('made.txt', 'w').write('made')"
    got = ask(client, fields(code), EXECUTE + "?files=1").json()
    assert got["files"] == [{"name": "made.txt", "encoding": "base64",
                             "content": base64.b64encode(b"made").decode()}]
    for query in ("", "?files=0", "?file=1", "?files=11"):
        assert "files" not in ask(client, fields(code),
                                  EXECUTE + query).json()


# -- both streams


def test_both_streams_in_order(client: Client) -> None:
    run = execute(client, "import sys\n"
                  "for i in range(40):\n"
                  "    print('o', i)\n"
                  "    print('e', i, file=sys.stderr)\n"
                  "print('half ', end='')\n"
                  "print('err ', end='', file=sys.stderr)\n"
                  "print('rest')")
    assert run["output"] == "".join(
        f"o {i}\ne {i}\n" for i in range(40)) + "half err rest\n"
    assert run["stdout"] == "".join(f"o {i}\n" for i in range(40)) + \
        "half rest\n"
    assert run["stderr"] == "".join(f"e {i}\n" for i in range(40)) + "err "


def test_the_traceback_is_the_end_of_both(client: Client) -> None:
    run = execute(client, "import sys\nprint('no end', end='', "
                  "file=sys.stderr)\nprint('out')\nraise ValueError('bad')")
    trace = ("Traceback (most recent call last):\n"
             '  File "file0.code", line 4, in <module>\n'
             "    raise ValueError('bad')\nValueError: bad\n")
    assert run["stdout"] == "out\n"
    assert run["stderr"] == "no end\n" + trace
    assert run["output"] == "no endout\n" + trace


def test_a_character_is_not_split_between_streams(client: Client) -> None:
    run = execute(client, "import os, time\n"
                  "smile = '\U0001f600'.encode()\n"
                  "os.write(1, smile[:2]); time.sleep(0.2)\n"
                  "os.write(2, b'err'); time.sleep(0.2)\n"
                  "os.write(1, smile[2:] + b'!')")
    assert run["stdout"] == "\U0001f600!"
    assert run["output"] == "err\U0001f600!"


def test_streams_that_the_program_replaced_or_closed(client: Client) -> None:
    run = execute(client, "import sys\nprint('a', file=sys.stderr)\n"
                  "sys.stdout.buffer.write(b'b\\n')\nsys.stdout.flush()\n"
                  "sys.stderr.close()\nprint('c')")
    assert (run["stdout"], run["stderr"], run["code"]) == ("b\nc\n", "a\n", 0)


def test_hostile_text(client: Client) -> None:
    run = execute(client, "import os\nos.write(1, b'\\xff\"}\\x00\\x1b[0m')\n"
                  "print('\\ud800')")
    assert run["stdout"] == "\ufffd\"}\x00\x1b[0m\ufffd\n"
    run = execute(client, "print('{\"run\": {}}' * 1000)")
    assert run["stdout"] == '{"run": {}}' * 1000 + "\n"


# -- the end of a run


@pytest.mark.parametrize("code, wanted", [
    ("import sys; sys.exit()", FINE), ("import sys; sys.exit(0)", FINE),
    ("import sys; sys.exit(3)", ("RE", 3, None,
                                 "Exited with error status 3")),
    ("import sys; sys.exit('why')", ("RE", 1, None,
                                     "Exited with error status 1")),
    ("1 / 0", ("RE", 1, None, "Exited with error status 1")),
    ("if", ("RE", 1, None, "Exited with error status 1")),
    ("import os; os._exit(0)", FINE),
    ("import os; os._exit(7)", ("RE", 7, None,
                                "Exited with error status 7")),
    ("import os; os.abort()", ("SG", None, "SIGABRT",
                               "Caught fatal signal 6")),
    ("import os; os.kill(os.getpid(), 11)", ("SG", None, "SIGSEGV",
                                             "Caught fatal signal 11")),
    ("raise MemoryError", ("RE", 1, None, "Exited with error status 1")),
])
def test_ends(client: Client, code: str, wanted: tuple[Any, ...]) -> None:
    assert ended(execute(client, code)) == wanted


def test_no_time_left(client: Client) -> None:
    run = execute(client, "import sys\nprint('o')\nprint('e', "
                  "file=sys.stderr)\nwhile True: pass", run_timeout=600)
    assert ended(run) == ("TO", None, "SIGKILL",
                          "Time limit exceeded (wall clock)")
    assert run["output"] == "o\ne\n" and 500 < run["wall_time"] < 5000


def test_no_memory_left(client: Client) -> None:
    """Python raises, or the kernel kills."""
    run = execute(client, "x = bytearray(400 << 20)",
                  run_memory_limit=100000000)
    assert ended(run) in (("SG", None, "SIGKILL", "Caught fatal signal 9"),
                          ("RE", 1, None, "Exited with error status 1"))
    if run["status"] == "RE":
        assert "MemoryError" in run["stderr"]


def test_output_that_was_cut(client: Client) -> None:
    run = execute(client, "print('x' * 2000000)")
    assert (run["status"], run["code"], run["signal"]) == (None, 0, None)
    missing = 2000001 - len(run["stdout"])
    assert run["message"] == f"stdout was cut: {missing} bytes are missing"
    assert run["output"] == run["stdout"] and missing > 0


@pytest.mark.parametrize("stream, status", [("stdout", "OL"),
                                            ("stderr", "EL")])
def test_a_flood(client: Client, stream: str, status: str) -> None:
    run = execute(client, "import sys\nwhile True: "
                  f"sys.{stream}.write('x' * 65536)")
    got = ended(run)
    assert got[:3] == (status, None, "SIGKILL")
    assert got[3].startswith(f"{stream} length exceeded")
    assert len(run[stream]) > 100000


# -- Piston's own tests: what a program must not do to others


def test_walls(client: Client) -> None:
    """Its fork bomb, its network, its disk, its files for the next one."""
    run = execute(client, "import os\nwhile True: os.fork()")
    assert run["code"] == 1 and "PermissionError" in run["stderr"]
    run = execute(client, "import urllib.request\n"
                  "urllib.request.urlopen('https://example.com', timeout=1)")
    assert run["code"] == 1
    assert execute(client, "open('left', 'w').close()")["code"] == 0
    assert execute(client, "import os\nprint(os.listdir('.'))")["stdout"] == \
        "['file0.code']\n"
    run = execute(client, "import os\nfd = os.open('big', os.O_CREAT | "
                  "os.O_WRONLY)\nos.posix_fallocate(fd, 0, 1 << 40)")
    assert run["code"] == 1


# -- languages and versions


@pytest.mark.parametrize("language", ["python", "py", "python3", "py3",
                                      f"python{SHORT}", "python3.10"])
def test_names_of_the_language(client: Client, language: str) -> None:
    assert execute(client, "print(1)", language=language)["stdout"] == "1\n"


@pytest.mark.parametrize("version", [
    "*", "x", "3", "3.x", ">=3.8", "^3.8", "~3", ">= 3.8 <4", "3.8 - 3.99",
    "2 || 3", "3.10.0", "3.9", "3.12.0", "3.99.1", "=3.10.0", "v3.10",
    VERSION, SHORT, f"~{SHORT}.0"])
def test_versions(client: Client, version: str) -> None:
    assert execute(client, "print(1)", version=version)["stdout"] == "1\n"


@pytest.mark.parametrize("language, version", [
    ("python", "2"), ("python", "2.7.18"), ("python", "<3"),
    ("python", "latest"), ("python", ">3.99"), ("python", "3.x.x.x"),
    ("python", "3.10.0-rc1"), ("python", "\u00e9"), ("python", ">"),
    ("python2", "*"), ("node", "18.15.0"), ("Python", "*"),
    ("python3.", "*"), ("python3.1a", "*"), ("__proto__", "*")])
def test_unknown_runtimes(client: Client, language: str,
                          version: str) -> None:
    refused(client, fields("1", language=language, version=version),
            f"{language}-{version} runtime is unknown")


@pytest.mark.parametrize("base", ["/api/v2", "/api/v2/piston"])
def test_lists(client: Client, base: str) -> None:
    assert client.request("GET", base + "/runtimes").json() == [
        {"language": "python", "version": VERSION,
         "aliases": ["py", "py3", "python3", f"python{SHORT}"]}]
    assert client.request("GET", base + "/packages").json() == [
        {"language": "python", "language_version": VERSION,
         "installed": True}]
    reply = client.request("HEAD", base + "/runtimes")
    assert (reply.status, reply.body) == (200, b"")


def test_packages(client: Client) -> None:
    path = "/api/v2/packages"
    ours = {"language": "python", "version": VERSION}
    assert ask(client, {**ours, "version": "3.x"}, path).json() == ours
    refused(client, {"language": "python", "version": "3.99.0"},
            "Requested package python-3.99.0 does not exist", 404, path)
    refused(client, {"language": "bash", "version": "5.2.0"},
            "Requested package bash-5.2.0 does not exist", 404, path)
    refused(client, {"language": "bash"}, "version is required as a string",
            400, path)
    refused(client, b"{", ask(client, b"{", path).json()["message"], 400,
            path)
    reply = client.request("DELETE", path, json.dumps(ours), JSON)
    assert (reply.status, list(reply.json())) == (403, ["message"])
    reply = client.request("DELETE", path, json.dumps(
        {**ours, "language": "bash"}), JSON)
    assert reply.status == 404


# -- refused requests


def test_the_first_fault_is_told(client: Client) -> None:
    """In the original's order and words."""
    steps: list[tuple[dict[str, Any], str]] = [
        ({}, "language is required as a string"),
        ({"language": "nope"}, "version is required as a string"),
        ({"version": "*"}, "files is required as an array"),
        ({"files": [{"content": "1"}, {"name": "x"}]},
         "files[1].content is required as a string"),
        ({"files": []}, "nope-* runtime is unknown"),
        ({"language": "python"},
         "files must include at least one utf8 encoded file"),
        ({"files": [{"content": "", "encoding": "base64"}],
          "run_timeout": "1"},
         "files must include at least one utf8 encoded file"),
        ({"files": [{"content": ""}], "run_memory_limit": "1",
          "compile_timeout": "1"},
         "If specified, run_memory_limit must be a number"),
        ({"run_memory_limit": 1}, "If specified, compile_timeout must be a "
         "number"),
        ({"compile_timeout": 1e9}, "If specified, run_timeout must be a "
         "number"),
        ({"run_timeout": -1}, "run_timeout must be non-negative"),
        ({"run_timeout": None, "run_cpu_time": -0.5},
         "run_cpu_time must be non-negative"),
    ]
    given: dict[str, Any] = {}
    for more, message in steps:
        given.update(more)
        refused(client, given, message)


@pytest.mark.parametrize("wrong", [None, 1, "", [], {}, True])
def test_wrong_types(client: Client, wrong: Any) -> None:
    for name in ("language", "version"):
        refused(client, fields("1", **{name: wrong}),
                f"{name} is required as a string")
    if wrong != []:
        refused(client, fields("1", files=wrong),
                "files is required as an array")
    if wrong != "":
        refused(client, fields("1", files=[{"content": wrong}]),
                "files[0].content is required as a string")
    refused(client, fields("1", files=[wrong]),
            "files[0].content is required as a string")


def test_limits_above_the_servers(client: Client) -> None:
    for name in ("run_timeout", "run_cpu_time", "run_memory_limit"):
        for much in (1 << 62, 1e300):
            reply = ask(client, fields("1", **{name: much}))
            message = reply.json()["message"]
            assert reply.status == 400
            start = f"{name} cannot exceed the configured limit of "
            assert message.startswith(start)
            most = int(message[len(start):])
            assert execute(client, "", **{name: most})["code"] == 0
    run = execute(client, "print(1)", run_timeout=0, run_cpu_time=0,
                  run_memory_limit=-1, compile_timeout=0,
                  compile_memory_limit=-1)
    assert run["stdout"] == "1\n"


def test_files_that_are_refused(client: Client) -> None:
    main = {"content": "1"}
    for entry, message in (
            ({"name": "../x", "content": ""}, "files[1].name "),
            ({"name": 5, "content": ""}, "files[1].name must be a string"),
            ({"encoding": "base64", "content": "a"},
             "files[1].content is not standard base64"),
            ({"encoding": "hex", "content": "abc"}, "files[1].content is not "
             "an even number of hexadecimal digits"),
            ({"encoding": "hex", "content": "zz"}, "files[1].content is not "
             "an even number of hexadecimal digits"),
            ({"name": "file0.code/x", "content": ""},
             "files[1].name clashes with files[0]'s")):
        reply = ask(client, fields("", files=[main, entry]))
        assert reply.status == 400, reply.body
        assert reply.json()["message"].startswith(message)
    reply = ask(client, fields("", files=[
        {"name": "a", "content": "1"},
        {"name": "a", "content": "ff", "encoding": "hex"}]))
    assert (reply.status, reply.json()["message"]) == (
        400, "the file a, which is to be run, is not UTF-8 text")


def test_other_refusals(client: Client) -> None:
    refused(client, fields("1", stdin=1), "stdin must be a string")
    refused(client, fields("1", args="a"), "args must be an array of strings")
    refused(client, fields("1", args=["a", 1]), "args[1] must be a string")
    for body in (b"", b"{", b"[]", b"1", b"\xff", b'{"language": "a\\u0000"}',
                 b'{"language": "a", "language": "b"}'):
        reply = ask(client, body)
        assert reply.status == 400 and list(reply.json()) == ["message"]
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        reply = ask(client, fields("1"), kind=kind)
        assert (reply.status, reply.json()) == (
            415, {"message": "requests must be of type application/json"})
    assert ask(client, fields("1"),
               kind="application/json; charset=utf-8").status == 200


def test_paths(client: Client) -> None:
    for base in ("/api/v2", "/api/v2/piston"):
        reply = client.request("GET", base + "/nothing")
        assert (reply.status, reply.json()) == (404,
                                                {"message": "Not Found"})
        reply = client.request("GET", base + "/execute")
        assert reply.status == 405 and list(reply.json()) == ["message"]
        assert reply.header("Allow") == "POST"


def test_no_interactive_runs(client: Client) -> None:
    """A WebSocket's handshake is answered, and clearly."""
    with client.socket() as sock:
        sock.sendall(head("GET", "/api/v2/connect", {
            "Host": client.host, **client.credentials(),
            "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}))
        reply = finish(sock)
    assert reply.status == 501
    assert reply.json() == {"message": "interactive runs are not served "
                            "here; POST to execute instead"}


# -- tokens


def test_a_token_without_a_scheme(client: Client) -> None:
    def get(path: str, header: str) -> Reply:
        return client.request("GET", path, None, {"Authorization": header},
                              auth=False)

    token = client.token
    assert token
    assert get("/api/v2/runtimes", token).status == 200
    assert get("/api/v2/piston/runtimes", token).status == 200
    assert get("/packages", token).status == 401  # of this door alone
    for wrong in ("", "wrong", token[:-1], f"{token} x", f"Token {token}",
                  f"|{token}", f"{token}|x"):
        reply = get("/api/v2/runtimes", wrong)
        assert reply.status == 401 and list(reply.json()) == ["message"]
