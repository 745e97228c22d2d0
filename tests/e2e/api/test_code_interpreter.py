"""The code-interpreter door: each row of its contract, and its answers to
malformed bodies."""

from __future__ import annotations

import base64
import json
from typing import Any, Iterator

import pytest
from client import JSON, Client
from sessions import User, ask, detail

@pytest.fixture
def user(client: Client) -> Iterator[User]:
    found = User(client)
    yield found
    ask(client, "/release", user_uuid=found.name)


@pytest.mark.parametrize("code, text", [
    ("1 + 1", "2"), ("'a'", "'a'"), ("None", ""), ("x = 1", ""),
    ("print('a')", "a\n"), ("print('a')\n'b'", "a\n'b'"),
    ("print('a', end='')\n3", "a3"), ("", ""), ("   ", ""),
    ("import sys\nfor i in range(3):\n"
     "    print(i, file=sys.stderr if i % 2 else sys.stdout)", "0\n1\n2\n"),
    ("import os\nos.write(1, b'\\xff\\x00')", "\ufffd\x002"),
    ("[1, 2.0, {'a': (None,)}]", "[1, 2.0, {'a': (None,)}]"),
    ("'\\ud800\\u00e4\\n'", "'\\ud800\u00e4\\n'"),
    ("import numpy as np\nnp.arange(3)", "array([0, 1, 2])"),
])
def test_result_text(user: User, code: str, text: str) -> None:
    assert user.text(code) == text


def test_state_lives(user: User) -> None:
    user.text("import math\nx = 5\ndef f(n): return math.floor(n) + x\n"
              "open('f', 'w').write('kept')")
    assert user.text("f(2.5), open('f').read()") == "(7, 'kept')"


def test_the_last_picture(user: User) -> None:
    reply = user.execute(
        "import matplotlib.pyplot as plt\nplt.figure(figsize=(1, 1))\n"
        "plt.show()\nplt.plot([1, 2])\nprint('not seen')")
    assert reply.status == 200
    assert reply.json()["result_text"] is None
    png = base64.b64decode(reply.json()["result_base64"], validate=True)
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") > 200, "the last of the two"
    assert user.text("'no picture now'") == "'no picture now'"


@pytest.mark.parametrize("code, words", [
    ("x", "NameError: name 'x' is not defined"),
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("raise ValueError", "ValueError"),
    ("raise ValueError('a\\nb')", "ValueError: a\nb"),
    ("import json\njson.loads('')",
     "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
    ("import sys\nsys.exit(2)", "SystemExit: 2"),
    ("class E(Exception):\n    def __str__(self): return 1\nraise E",
     "E: <exception str() failed>"),
])
def test_an_error_of_python(user: User, code: str, words: str) -> None:
    user.text("kept = 1")
    reply = user.execute("also = 2\n" + code)
    assert reply.status == 400
    assert detail(reply) == "Python Execution Error: " + words
    assert user.text("kept, also") == "(1, 2)"


def test_an_error_of_syntax(user: User) -> None:
    for code, words in (
            ("1 +", "SyntaxError: invalid syntax (<exec>, line 1)"),
            ("1\n  2", "IndentationError: unexpected indent (<exec 2>, line "
             "2)"),
            ("compile('x = (\\n', '/tmp/a/b.py', 'exec')",
             "SyntaxError: '(' was never closed (b.py, line 1)"),
            ("raise SyntaxError('words')", "SyntaxError: words"),
            ("try:\n    compile('1 +', 'f', 'exec')\n"
             "except SyntaxError:\n    raise ValueError(3)", "ValueError: 3"),
    ):
        reply = user.execute(code)
        assert reply.status == 400
        assert detail(reply) == "Python Execution Error: " + words


OPEN_FIGURE = "import matplotlib.pyplot as plt\nplt.plot([1])\nprint('x')"


def test_a_figure_left_open(user: User) -> None:
    """A program that chose the back end itself gets no picture of it, also
    not in a later call; one that it shows it gets."""
    reply = user.execute(OPEN_FIGURE).json()
    assert reply["result_text"] is None and reply["result_base64"]
    assert user.text("import matplotlib\nmatplotlib.use('Agg')\n" +
                     OPEN_FIGURE) == "x\n"
    assert user.text(OPEN_FIGURE) == "x\n"
    assert user.text("plt.get_fignums()") == "[]"
    reply = user.execute(OPEN_FIGURE + "\nplt.show()").json()
    assert reply["result_text"] is None and reply["result_base64"]
    out = user.client.run("import matplotlib\nmatplotlib.use('Agg')\n" +
                          OPEN_FIGURE, results=True).json()
    assert "image/png" in out["results"][0], "at the native door it is shown"


def test_home_is_called_sandbox(user: User) -> None:
    assert user.text(
        "import os, pathlib\nopen('a', 'w').close()\nos.mkdir('d')\n"
        "os.chdir('d')\nimport posix\n"
        "os.environ['HOME'], os.getcwd(), os.getcwdb(), posix.getcwd(), "
        "str(pathlib.Path.cwd()), os.path.expanduser('~/x'), "
        "os.path.abspath('../a'), sorted(os.listdir('/sandbox')), "
        "os.path.samefile('/sandbox', '/home/user')") == str(
        ("/sandbox", "/sandbox/d", b"/sandbox/d", "/sandbox/d", "/sandbox/d",
         "/sandbox/x", "/sandbox/a", ["a", "d"], True))
    assert user.text("os.chdir('/usr')\nos.getcwd()") == "'/usr'"
    assert user.text("os.getcwd(), os.environ['HOME']") == \
        "('/usr', '/sandbox')"
    begun = User(user.client)
    code = "import os\nos.getcwd(), os.environ['HOME']"
    assert user.client.value(code, session=begun.name) == \
        ["/home/user", "/home/user"]
    assert begun.text(code) == "('/home/user', '/home/user')", \
        "a session that another door began"
    ask(user.client, "/release", user_uuid=begun.name)


def test_a_crash(user: User) -> None:
    user.text("x = 1")
    reply = user.execute("x = 2\nimport os\nos.abort()")
    assert reply.status == 503
    assert reply.header("Retry-After") == "1"
    assert "SIGABRT" in detail(reply)
    assert "the session is as it was before this call" in detail(reply)
    assert user.text("x") == "1"


def test_release(user: User) -> None:
    reply = ask(user.client, "/release", user_uuid=user.name)
    assert reply.status == 200
    assert reply.json() == {"status": "ok",
                            "detail": "there was no such session"}
    user.text("x = 1")
    reply = ask(user.client, "/release", user_uuid=user.name)
    assert reply.json() == {"status": "ok",
                            "detail": "the session has ended"}
    assert user.text("'x' in globals()") == "False"


def test_fork(user: User) -> None:
    user.text("x = 1")
    reply = ask(user.client, "/fork", user_uuid=user.name,
                new_uuid=user.name + "-2")
    assert reply.status == 200
    assert reply.json()["status"] == "ok"
    assert "its files are those of the first one" in reply.json()["detail"]
    reply = ask(user.client, "/fork", user_uuid=user.name,
                new_uuid=user.name + "-2")
    assert reply.status == 409
    assert detail(reply) == "there is a session of the new name already"
    other = User(user.client)
    other.name = user.name + "-2"
    assert other.text("x += 1\nx") == "2"
    assert user.text("x") == "1"
    ask(user.client, "/release", user_uuid=other.name)
    reply = ask(user.client, "/fork", user_uuid=other.name, new_uuid="z")
    assert reply.status == 404
    assert detail(reply) == "there is no such session"


def test_status(client: Client, stranger: Client, user: User) -> None:
    user.text("1")
    reply = client.request("GET", "/status")
    assert reply.status == 200
    found = reply.json()
    assert found["total_workers"] >= 1
    assert 0 <= found["busy_workers"] <= found["total_workers"]
    assert found["is_initializing"] is False
    assert found["sessions"]["open"] >= 1
    assert "master" not in found, "that is the operator's"
    assert stranger.request("GET", "/status").status == 401
    assert client.request("POST", "/status").status == 405
    assert client.request("GET", "/.status").status == 404


def test_a_wrong_token(stranger: Client) -> None:
    for path in ("/execute", "/release", "/fork", "/status"):
        reply = stranger.request("GET" if path == "/status" else "POST",
                                 path)
        assert reply.status == 401
        assert detail(reply) == "Invalid or missing authentication token"


MALFORMED = [
    ({}, 422, ["body", "user_uuid"]),
    ({"code": "1"}, 422, ["body", "user_uuid"]),
    ({"user_uuid": "a"}, 422, ["body", "code"]),
    ({"user_uuid": None, "code": "1"}, 422, ["body", "user_uuid"]),
    ({"user_uuid": 7, "code": "1"}, 422, ["body", "user_uuid"]),
    ({"user_uuid": "a", "code": ["1"]}, 422, ["body", "code"]),
    ({"user_uuid": "", "code": "1"}, 422, ["body", "user_uuid"]),
    ({"user_uuid": "x" * 129, "code": "1"}, 422, ["body", "user_uuid"]),
    ([], 422, ["body"]),
    ("text", 422, ["body"]),
]


@pytest.mark.parametrize("body, status, place", MALFORMED)
def test_malformed_fields(client: Client, body: Any, status: int,
                          place: list[str]) -> None:
    reply = client.request("POST", "/execute", json.dumps(body), JSON)
    assert reply.status == status
    found = detail(reply)
    assert [set(entry) for entry in found] == [{"type", "loc", "msg"}]
    assert found[0]["loc"] == place
    if len(place) > 1:
        assert found[0]["msg"].startswith(place[1] + " ")


@pytest.mark.parametrize("body", [
    b"", b"{", b"{\"user_uuid\": \"a\", \"code\": \"1\"", b"\xff", b"nul",
    b"{\"user_uuid\": \"a\", \"user_uuid\": \"b\", \"code\": \"1\"}",
    b"{\"user_uuid\": \"a\\u0000b\", \"code\": \"1\"}", b"[" * 1000])
@pytest.mark.parametrize("path", ["/execute", "/release", "/fork"])
def test_malformed_bodies(client: Client, path: str, body: bytes) -> None:
    reply = client.request("POST", path, body, JSON)
    assert reply.status == 422, reply.body
    assert [set(entry) for entry in detail(reply)] == [{"type", "loc",
                                                        "msg"}]


def test_malformed_names(client: Client) -> None:
    for path, fields, field in (
            ("/release", {}, "user_uuid"), ("/fork", {}, "user_uuid"),
            ("/fork", {"user_uuid": "a"}, "new_uuid"),
            ("/fork", {"user_uuid": "a", "new_uuid": 1}, "new_uuid"),
            ("/release", {"user_uuid": ""}, "user_uuid"),
            ("/fork", {"user_uuid": "", "new_uuid": "b"}, "user_uuid"),
            ("/fork", {"user_uuid": "a", "new_uuid": ""}, "new_uuid"),
            ("/fork", {"user_uuid": "a", "new_uuid": "x" * 129},
             "new_uuid")):
        reply = ask(client, path, **fields)
        assert reply.status == 422
        assert detail(reply)[0]["loc"] == ["body", field]


def test_other_methods(client: Client) -> None:
    for path in ("/execute", "/release", "/fork"):
        reply = client.request("GET", path)
        assert reply.status == 405
        assert reply.header("Allow") == "POST"
        assert isinstance(detail(reply), str)


def test_names_are_any_text(client: Client) -> None:
    for name in ("a/b", "\u00e4\u4e2d", "'; drop", "..", "a\nb", " "):
        fields = {"user_uuid": name, "code": "x = 1\nx"}
        assert ask(client, "/execute", **fields).json()["result_text"] == "1"
        assert ask(client, "/release", user_uuid=name).json()["detail"] == \
            "the session has ended"


def test_every_form_of_a_token(client: Client) -> None:
    for header in ("X-Auth-Token", "X-Api-Key", "X-Access-Token"):
        reply = client.request(
            "POST", "/execute", json.dumps({"user_uuid": "h", "code": "2"}),
            {**JSON, header: client.token}, auth=False)
        assert reply.json()["result_text"] == "2"
    ask(client, "/release", user_uuid="h")
