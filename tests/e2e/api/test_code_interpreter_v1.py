"""The code-interpreter door's paths of 2026: each row of its contract for
execute, release and status, and its answers to malformed requests."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any, Iterator
from urllib.parse import quote

import pytest
from client import JSON, Client, Reply
from sessions import detail, together

GONE = "No active session found for user"


class User:
    """A user of /api/v1, with a session."""

    def __init__(self, client: Client) -> None:
        self.client, self.name = client, str(uuid.uuid4())

    def post(self, action: str, body: Any = None,
             name: str | None = None) -> Reply:
        data = b"" if body is None else json.dumps(body)
        return self.client.request(
            "POST", f"/api/v1/{action}?user_uuid={quote(name or self.name)}",
            data, JSON)

    def execute(self, code: str, name: str | None = None) -> Reply:
        return self.post("execute", {"code": code}, name)

    def text(self, code: str, name: str | None = None) -> Any:
        reply = self.execute(code, name)
        assert reply.status == 200, reply.body
        assert list(reply.json()) == ["result_text", "result_base64"]
        assert reply.json()["result_base64"] is None
        return reply.json()["result_text"]

    def release(self) -> Reply:
        return self.post("release")


@pytest.fixture
def user(client: Client) -> Iterator[User]:
    found = User(client)
    yield found
    found.release()


@pytest.mark.parametrize("code, text", [
    ("1 + 1", "2"), ("1 + 1;", "2"), ("None", ""), ("x = 1", ""), ("", ""),
    ("print('a', end='')\n5", "a5"), ("print('a')\n'b'", "a\n'b'"),
    ("'\\u4e2d'", "'\u4e2d'"),
    ("x", "Python Execution Error: NameError: name 'x' is not defined"),
    ("print('lost')\n1 / 0",
     "Python Execution Error: ZeroDivisionError: division by zero"),
    ("raise ValueError", "Python Execution Error: ValueError: "),
    ("raise ValueError('')", "Python Execution Error: ValueError: "),
    ("raise ValueError('a\\nb')", "Python Execution Error: ValueError: a\nb"),
    ("1 +", "Python Execution Error: SyntaxError: invalid syntax "
     "(<exec>, line 1)"),
    ("import sys\nsys.exit(0)", "Python Execution Error: SystemExit: 0"),
    ("import sys\nsys.exit()", "Python Execution Error: SystemExit: "),
    ("import sys\nsys.exit(3)", "Python Execution Error: SystemExit: 3"),
    ("import json\njson.loads('')", "Python Execution Error: JSONDecodeError"
     ": Expecting value: line 1 column 1 (char 0)"),
])
def test_result_text(user: User, code: str, text: str) -> None:
    assert user.text(code) == text


def test_the_session_lives_on_after_an_exception(user: User) -> None:
    user.text("x = 1\nimport sys\nsys.exit(0)")
    assert user.text("x") == "1"
    assert user.text("import os\nos.getcwd(), os.environ['HOME']") == \
        "('/sandbox', '/sandbox')"


def test_a_shell_is_refused(user: User) -> None:
    found = user.text("import os\nos.popen('ls')")
    assert found.startswith("Python Execution Error: PermissionError: ")


def test_a_picture(user: User) -> None:
    got = user.execute("import matplotlib.pyplot as plt\nplt.plot([1])\n"
                       "print('lost')").json()
    assert got["result_text"] is None and got["result_base64"]
    assert user.text("import matplotlib\nmatplotlib.use('Agg')\n"
                     "plt.plot([1])\nprint('kept')") == "kept\n"


def test_uuids_are_compared_by_value(user: User) -> None:
    user.text("x = 5")
    name = user.name
    for other in (name.upper(), name.replace("-", ""), "urn:uuid:" + name,
                  "{" + name.upper() + "}",
                  name.replace("-", "").upper()):
        assert user.text("x", other) == "5", other
    out = user.client.run("x", session=name).json()
    assert out["final_expression"] == 5, "the native session of that name"
    assert user.post("release", name=name.upper()).status == 204


@pytest.mark.parametrize("query, kind", [
    ("", "missing"), ("?", "missing"), ("?User_uuid=1", "missing"),
    ("?user_uuid", "uuid_parsing"), ("?user_uuid=", "uuid_parsing"),
    ("?user_uuid=user-1", "uuid_parsing"),
    ("?user_uuid=%00", "uuid_parsing"), ("?user_uuid=%zz", "uuid_parsing"),
    ("?user_uuid=ID&user_uuid=ID", "uuid_parsing"),
    ("?user_uuid=ID&%75ser_uuid=ID", "uuid_parsing"),
    ("?user_uuid=ID0", "uuid_parsing"), ("?user_uuid={ID", "uuid_parsing"),
    ("?user_uuid=ID%00", "uuid_parsing"), ("?user_uuid=ID/", "uuid_parsing"),
    ("?user_uuid=g0000000-0000-4000-8000-000000000000", "uuid_parsing"),
    ("?user_uuid=00000000a0000-4000-8000-000000000000", "uuid_parsing"),
    ("?user_uuid=" + "0" * 5000, "uuid_parsing"),
])
@pytest.mark.parametrize("action", ["execute", "release"])
def test_malformed_names(client: Client, action: str, query: str,
                         kind: str) -> None:
    query = query.replace("ID", "00000000-0000-4000-8000-000000000000")
    reply = client.request("POST", f"/api/v1/{action}{query}",
                           json.dumps({"code": "1"}), JSON)
    assert reply.status == 422
    found = detail(reply)
    assert [set(one) for one in found] == [{"type", "loc", "msg"}]
    assert (found[0]["type"], found[0]["loc"]) == (kind,
                                                   ["query", "user_uuid"])


def test_other_parameters_are_ignored(user: User) -> None:
    reply = user.client.request(
        "POST", f"/api/v1/execute?a=b&&%20&user%5Fuuid={user.name}&code=2",
        json.dumps({"code": "1", "user_uuid": 7, "more": []}), {})
    assert reply.json()["result_text"] == "1"


@pytest.mark.parametrize("body, kind, place", [
    (b"", "missing", ["body"]), (b"{", "json_invalid", ["body", 1]),
    (b"\xff", "json_invalid", ["body", 0]), (b"[]", "model_attributes_type",
                                             ["body"]),
    (b'{"code": "1", "code": "2"}', "json_invalid", ["body", 14]),
    (b"null", "model_attributes_type", ["body"]),
    (b"{}", "missing", ["body", "code"]),
    (b'{"code": null}', "string_type", ["body", "code"]),
    (b'{"code": 1}', "string_type", ["body", "code"]),
    (b'{"code": ["1"]}', "string_type", ["body", "code"]),
    (b'{"code": "\\u0000"}', "json_invalid", None),
])
def test_malformed_bodies(user: User, body: bytes, kind: str,
                          place: Any) -> None:
    path = f"/api/v1/execute?user_uuid={user.name}"
    reply = user.client.request("POST", path, body, JSON)
    assert reply.status == 422
    found = detail(reply)
    assert len(found) == 1 and found[0]["type"] == kind
    assert place is None or found[0]["loc"] == place
    reply = user.client.request("POST", "/api/v1/execute", body, JSON)
    kinds = [one["type"] for one in detail(reply)]
    assert kinds == ["missing", kind], "all faults are in one list"
    assert user.release().status == 404, "no session was begun"


def test_release(user: User) -> None:
    reply = user.release()
    assert reply.status == 404 and detail(reply) == GONE
    user.text("x = 1")
    reply = user.release()
    assert reply.status == 204 and reply.body == b""
    assert user.release().status == 404
    assert user.text("'x' in globals()") == "False"


def test_a_crash(user: User) -> None:
    user.text("x = 1")
    reply = user.execute("x = 2\nimport os\nos.abort()")
    assert reply.status == 503
    assert reply.header("Retry-After") is None, "a repetition is no help"
    assert "SIGABRT" in detail(reply)
    assert "but its files are as the call left them" in detail(reply)
    assert user.text("x") == "1"


def test_status(client: Client, stranger: Client, user: User) -> None:
    def busy() -> int:
        reply = client.request("GET", "/api/v1/status")
        assert reply.status == 200
        got = reply.json()
        assert list(got) == ["total_workers", "busy_workers",
                             "is_initializing"]
        assert got["is_initializing"] is False
        assert got["total_workers"] == \
            client.request("GET", "/status").json()["sessions"]["max"]
        return got["busy_workers"]

    user.text("1")
    assert busy() >= 1
    assert stranger.request("GET", "/api/v1/status").status == 401
    assert client.request("POST", "/api/v1/status").status == 405
    assert client.request("GET", "/.session_pool").status == 404


def test_a_slash_at_the_end_is_a_redirect(client: Client) -> None:
    for path in ("execute", "release", "status", "files", "files/export",
                 "files/content"):
        for arguments in ("", "?user_uuid=1&path=/sandbox"):
            reply = client.request("POST", f"/api/v1/{path}/{arguments}",
                                   b"{}", JSON)
            assert (reply.status, reply.header("Location")) == \
                (307, f"/api/v1/{path}{arguments}")
    assert client.request("POST", "/execute/", b"{}", JSON).status == 404


def test_a_missing_token_is_401(stranger: Client) -> None:
    for path in ("execute", "release", "files", "files/export"):
        reply = stranger.request("POST", "/api/v1/" + path, b"{")
        assert reply.status == 401
        assert detail(reply) == "Invalid or missing authentication token"


def test_other_paths_and_methods(client: Client) -> None:
    for path in ("/", "/docs", "/docs/", "/execute//", "/health", "/fork"):
        reply = client.request("POST", "/api/v1" + path, b"{}", JSON)
        assert reply.status == 404 and isinstance(detail(reply), str)
    for path in ("execute", "release"):
        reply = client.request("GET", "/api/v1/" + path)
        assert (reply.status, reply.header("Allow")) == (405, "POST")
        assert isinstance(detail(reply), str)


def test_calls_of_one_session_run_one_after_the_other(user: User) -> None:
    user.text("x = 0")
    together(8, lambda _: user.text("y = x\nimport time\ntime.sleep(0.01)\n"
                                    "x = y + 1"))
    assert user.text("x") == "8"


def test_many_users(client: Client) -> None:
    """25 users with 100 calls each, as a client's script has it: each adds
    to a number of its own, and reads what it is now. There are fewer where
    another suite has made them all."""
    calls = 10 if os.environ.get("AGAIN") else 100
    users = [User(client) for _ in range(25)]

    def work(number: int) -> None:
        one, total = users[number], float(number)
        one.text(f"total = {total}")
        for call in range(calls):
            total += call
            got = one.execute(f"total += {call}\nprint(total)")
            assert got.status == 200, got.body
            assert float(got.json()["result_text"].strip()) == total
        assert one.release().status == 204

    together(25, work)
