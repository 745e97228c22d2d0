"""The door of RAGFlow's self-managed sandbox, row by row of its contract."""

from __future__ import annotations

import json
from typing import Any, Optional

import pytest
from client import JSON, Client, Reply, b64, head
from conftest import wait_until
from program import part

KEYS = ["status", "stdout", "stderr", "exit_code", "detail", "time_used_ms",
        "memory_used_kb", "resource_limit_type", "unauthorized_access_type",
        "runtime_error_type", "artifacts", "result"]
MAIN = "def main(**given):\n"


def ask(client: Client, fields: Any) -> Reply:
    body = fields if isinstance(fields, (str, bytes)) else json.dumps(fields)
    return client.request("POST", "/run", body, JSON)


def run(client: Client, code: str, **fields: Any) -> dict[str, Any]:
    """Run CODE; the answer must be a 200 with every key of the contract."""
    reply = ask(client, {"code_b64": b64(code), **fields})
    assert reply.status == 200, reply.body[:300]
    assert reply.header("Content-Type") == "application/json"
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    got = reply.json()
    assert list(got) == KEYS
    return got


def failed(client: Client, code: str, status: str, exit_code: int,
           **fields: Any) -> dict[str, Any]:
    """A run that fails: nothing in stdout, something in stderr."""
    got = run(client, "print('was printed')\n" + code, **fields)
    assert (got["status"], got["exit_code"]) == (status, exit_code), got
    assert got["stdout"] == "" and got["stderr"].strip()
    assert got["artifacts"] == [] and got["result"] is None
    return got


def types(got: dict[str, Any]) -> list[Optional[str]]:
    return [got[name] for name in KEYS[7:10]]


# -- runs that succeed


def test_success(client: Client) -> None:
    got = run(client, "import sys\n" + MAIN +
              "    print('out')\n    print('err', file=sys.stderr)\n"
              "    return {'sum': given['a'] + given['b'], 'x': (1, None)}",
              language="python", arguments={"a": 1, "b": 2})
    assert got["status"] == "success" and got["exit_code"] == 0
    assert got["stdout"] == "out\n" and got["stderr"] == "err\n"
    assert got["result"] == {"present": True, "type": "json",
                             "value": {"sum": 3, "x": [1, None]}}
    assert got["artifacts"] == [] and got["detail"] is None
    assert types(got) == [None] * 3
    assert type(got["time_used_ms"]) is int
    assert got["memory_used_kb"] > 0


@pytest.mark.parametrize("value", ["None", "1", "'\u00e9'", "[]", "2**100",
                                   "True", "1.5"])
def test_results(client: Client, value: str) -> None:
    got = run(client, f"def main(): return {value}")
    assert got["result"] == {"present": True, "value": eval(value),
                             "type": "json"}


@pytest.mark.parametrize("value", [
    "{1: 'a', -2: 'b', 10**40: 'c'}", "{1.5: 1, 1e300: 2, -0.0: 3}",
    "{True: 1, False: 0, None: None}", "{float('nan'): 1, float('inf'): 2}",
    "{1: {2: [{3.0: 4}]}}", "{1: 'first', '1': 'later'}",
    "__import__('enum').IntEnum('E', 'A B').__members__['A']",
    "{__import__('http').HTTPStatus.OK: 1}",
    "__import__('collections').OrderedDict([(2, 1)])",
    "__import__('collections').namedtuple('T', 'a b')(1, 2)",
])
def test_values_become_json_as_json_dumps_makes_it(client: Client,
                                                   value: str) -> None:
    """Keys, too: DataFrame.to_dict() has numbers for keys."""
    got = run(client, f"def main(): return {value}")
    assert got["status"] == "success", got["stderr"]
    assert got["result"]["value"] == json.loads(json.dumps(eval(value)))


def test_a_table_as_a_dictionary(client: Client) -> None:
    got = run(client, "import pandas\ndef main():\n"
              "    return pandas.DataFrame({'a': ['x', 'y']}).to_dict()")
    assert got["result"]["value"] == {"a": {"0": "x", "1": "y"}}


def test_the_program_is_imported(client: Client) -> None:
    """Its module is main: a block for __main__ does not run, and what it
    defines is found under that name."""
    got = run(client, "import pickle, sys\nclass Point: pass\n"
              "def main():\n"
              "    copy = pickle.loads(pickle.dumps(Point()))\n"
              "    return [__name__, Point.__module__,\n"
              "            type(copy) is Point, sys.modules['main'].main"
              " is main]\n"
              "if __name__ == '__main__':\n"
              "    print('it ran as a script')\n    sys.exit(3)")
    assert got["status"] == "success" and got["stdout"] == ""
    assert got["result"]["value"] == ["main", "main", True, True]


@pytest.mark.parametrize("fields", [
    {}, {"arguments": None}, {"arguments": {}},
    {"arguments": {}, "unknown": [1], "timeout": "x"},
])
def test_no_arguments(client: Client, fields: dict[str, Any]) -> None:
    got = run(client, MAIN + "    return len(given)", **fields)
    assert got["result"]["value"] == 0


def test_main_may_be_a_coroutine(client: Client) -> None:
    got = run(client, "async def main(n): return n", arguments={"n": 10**40})
    assert got["result"]["value"] == 10**40


def test_exit_with_0_is_success_without_a_result(client: Client) -> None:
    got = run(client, "import sys\ndef main(): sys.exit(0)")
    assert got["status"] == "success" and got["result"] is None


def test_only_the_output_that_is_kept(client: Client) -> None:
    got = run(client, "def main(): print('x' * (2 << 20))")
    assert got["status"] == "success"
    assert len(got["stdout"]) == 1 << 20
    assert got["detail"] == \
        "output was cut: 1048577 bytes of stdout, 0 of stderr"


# -- runs that do not


@pytest.mark.parametrize("code, words", [
    ("def main(:\n", "line 2"), ("def main():\nreturn 1", "line 3"),
    ("x = '\0'", "null bytes"),
])
def test_syntax_error(client: Client, code: str, words: str) -> None:
    got = failed(client, code, "program_runner_error", -999)
    assert words in got["stderr"] and "Error" in got["stderr"]
    assert types(got) == [None] * 3


@pytest.mark.parametrize("code, exit_code, words", [
    ("def main(): 1/0", 1, "ZeroDivisionError: division by zero"),
    ("1/0\ndef main(): pass", 1, "Traceback (most recent call last)"),
    ("import sys\ndef main(): sys.exit(3)", 3, "SystemExit: 3"),
    ("import os\ndef main(): os._exit(7)", 7, "exited with status 7"),
    ("x = 1", 1, "name 'main' is not defined"),
    ("def main(): return {1}", 1,
     "TypeError: the value must be JSON: set is not JSON"),
    ("def main(): return float('nan')", 1, "nan is not JSON"),
    ("def main(x): pass", 1, "missing 1 required positional argument"),
])
def test_program_error(client: Client, code: str, exit_code: int,
                       words: str) -> None:
    got = failed(client, code, "program_error", exit_code)
    assert words in got["stderr"]
    assert types(got) == [None, None, "nonzero_exit"]


def test_what_was_written_to_stderr_comes_before_the_traceback(
        client: Client) -> None:
    got = failed(client, "import sys\ndef main():\n"
                 "    print('mine', file=sys.stderr)\n    1/0",
                 "program_error", 1)
    assert got["stderr"].startswith("mine\nTraceback")


@pytest.mark.parametrize("kind, payload", [
    (3, "b'X\\0'"), (3, "b'\\0'"), (3, "b''"), (1, "b'{'")])
def test_a_failure_that_the_program_forged(client: Client, kind: int,
                                           payload: str) -> None:
    """An error without a word, and a value that is no JSON: neither has an
    empty stderr, nor the exit code of a success."""
    got = run(client, MAIN + "    display.__globals__['send'].__globals__"
              f"['emit']({kind}, {payload})\n    return 1")
    assert got["status"] == "program_error" and got["stderr"].strip()
    assert got["exit_code"] == 1 and got["result"] is None


def test_signal(client: Client) -> None:
    got = failed(client, "import os\ndef main(): os.abort()",
                 "program_error", 134)
    assert types(got) == [None, None, "signaled"]
    assert "SIGABRT" in got["stderr"]


def test_memory(client: Client) -> None:
    got = failed(client, "def main(): return len(bytearray(1 << 40))",
                 "resource_limit_exceeded", -137)
    assert types(got) == ["memory", None, None]
    assert "MemoryError" in got["stderr"]


def test_flood(client: Client) -> None:
    got = failed(client, "def main():\n  while True: print('x' * 65536)",
                 "resource_limit_exceeded", -137)
    assert types(got) == ["output", None, None]


@pytest.mark.parametrize("code, kind, name", [
    ("import os\ndef main(): os.fork()", "disallowed_syscall", "fork"),
    ("import socket\ndef main(): socket.socket()", "disallowed_syscall",
     "socket"),
    ("import subprocess\ndef main(): subprocess.run(['ls'])",
     "disallowed_syscall", "fork"),
    ("def main(): open('/usr/x', 'w')", "file_access", "openat"),
    ("import os\ndef main(): os.mkdir('/etc/x')", "file_access", "mkdir"),
])
def test_refused(client: Client, code: str, kind: str, name: str) -> None:
    got = failed(client, code, "unauthorized_access", 1)
    assert types(got) == [None, kind, None]
    assert f"Operation not permitted: {name}\n" in got["stderr"]


def test_a_refusal_that_is_caught_is_none(client: Client) -> None:
    got = run(client, "import os\ndef main():\n  try: os.fork()\n"
              "  except OSError: return 1")
    assert got["status"] == "success"


# -- artifacts


def test_artifacts(client: Client) -> None:
    names = ["a.png", "b.JPG", "c.jpeg", "d.svg", "e.pdf", "f.csv",
             "g.json", "h.html", "\u00e9.csv"]
    got = run(client, "import os\ndef main():\n"
              f"  for name in {names!r}:\n"
              "    open('artifacts/' + name, 'w').write(name)\n"
              "  return os.listdir('.')")
    assert got["result"]["value"] == ["artifacts"]
    assert [one["name"] for one in got["artifacts"]] == names
    assert [one["mime_type"] for one in got["artifacts"]] == [
        "image/png", "image/jpeg", "image/jpeg", "image/svg+xml",
        "application/pdf", "text/csv", "application/json", "text/html",
        "text/csv"]
    for one in got["artifacts"]:
        assert list(one) == ["name", "mime_type", "size", "content_b64"]
        assert one["content_b64"] == b64(one["name"])
        assert one["size"] == len(one["name"].encode())


def test_what_is_no_artifact_is_left_out(client: Client) -> None:
    got = run(client, part("artifacts_of_every_kind").replace(
        "os.mkfifo('pipe.png')", "pass"))
    assert got["status"] == "success", got["stderr"]
    assert [one["name"] for one in got["artifacts"]] == ["good.png"]
    assert got["artifacts"][0]["size"] == 10 << 20


def test_no_more_than_ten_artifacts(client: Client) -> None:
    got = run(client, "def main():\n  for i in range(30):\n"
              "    open(f'artifacts/{i:02}.csv', 'w').write('x')")
    assert len(got["artifacts"]) == 10


def test_no_artifacts_of_a_failure(client: Client) -> None:
    failed(client, "def main():\n  open('artifacts/x.csv', 'w').write('x')\n"
           "  1/0", "program_error", 1)


# -- requests that are not run


@pytest.mark.parametrize("fields, words", [
    ({}, "code_b64 is missing"),
    ({"code_b64": None}, "code_b64 must be a string"),
    ({"code_b64": 1}, "code_b64 must be a string"),
    ({"code_b64": ["eA=="]}, "code_b64 must be a string"),
    ({"code_b64": "eA"}, "code_b64 is not standard base64"),
    ({"code_b64": "e A="}, "code_b64 is not standard base64"),
    ({"code_b64": "eA==\n"}, "code_b64 is not standard base64"),
    ({"code_b64": "eB=="}, "code_b64 is not standard base64"),
    ({"code_b64": "_-=="}, "code_b64 is not standard base64"),
    ({"code_b64": b64(b"\xff")}, "code_b64 does not hold UTF-8"),
    ({"code_b64": b64(b"\xed\xa0\x80")}, "code_b64 does not hold UTF-8"),
    ({"code_b64": "", "language": "nodejs"}, "Python only"),
    ({"code_b64": "", "language": "ruby"}, 'language must be "python"'),
    ({"code_b64": "", "language": ""}, 'language must be "python"'),
    ({"code_b64": "", "language": None}, "language must be a string"),
    ({"code_b64": "", "language": 3}, "language must be a string"),
    ({"code_b64": "", "arguments": []}, "arguments must be an object"),
    ({"code_b64": "", "arguments": "{}"}, "arguments must be an object"),
])
def test_refused_fields(client: Client, fields: dict[str, Any],
                        words: str) -> None:
    reply = ask(client, fields)
    assert reply.status == 422, reply.body
    assert list(reply.json()) == ["detail"]
    assert words in reply.json()["detail"]


@pytest.mark.parametrize("body", [
    "", "{", "[]", "null", '"x"', '{"code_b64": "", "code_b64": ""}',
    b'{"code_b64": "\xff"}', '{"code_b64": "\\u0000"}', "[" * 100000,
])
def test_refused_bodies(client: Client, body: Any) -> None:
    """A body that is no object has wrong fields."""
    reply = ask(client, body)
    assert reply.status == 422, reply.body
    assert list(reply.json()) == ["detail"] and reply.json()["detail"]
    assert run(client, "def main(): return 1")["result"]["value"] == 1


def test_the_web_servers_own_errors_have_this_shape(client: Client,
                                                    stranger: Client) -> None:
    replies = [stranger.request("POST", "/run", "{}", JSON),
               client.request("GET", "/run?x")]
    assert [reply.status for reply in replies] == [401, 405]
    for reply in replies:
        assert list(reply.json()) == ["detail"], reply.body
    assert replies[0].header("WWW-Authenticate") == "Bearer"
    assert replies[1].header("Allow") == "POST"


@pytest.mark.parametrize("headers, size, code, detail", [
    ({"Content-Encoding": "gzip"}, 2, -415, "unsupported_media_type"),
    ({}, (100 << 20) + 1, -413, "too_large"),
])
def test_other_refusals_are_http_200(client: Client, headers: dict[str, str],
                                     size: int, code: int,
                                     detail: str) -> None:
    """RAGFlow's clients read no other status than 200, 401, 405 and 422."""
    reply = client.request("POST", "/run", b"x" * size, {**JSON, **headers})
    assert reply.status == 200 and list(reply.json()) == KEYS
    got = reply.json()
    assert (got["status"], got["exit_code"], got["detail"]) == \
        ("program_runner_error", code, detail)
    assert got["stdout"] == "" and got["stderr"]
    assert got["artifacts"] == [] and got["result"] is None


def test_healthz(client: Client) -> None:
    # Runs of other tests may have used up all that stood armed.
    wait_until(lambda: client.request("GET", "/healthz", auth=False).status
               == 200, 5, "a worker is armed")
    reply = client.request("GET", "/healthz", auth=False)
    assert reply.status == 200 and reply.json() == {"status": "ok"}
    assert client.request("GET", "/health", auth=False).body == b"hi!"


# -- as its clients ask


def test_a_token_in_the_address(client: Client, settings: Any) -> None:
    """A client that can be given nothing but a URL."""
    if not settings.name:
        pytest.skip("TERRARIUM_CLIENT is not set")
    headers = {**JSON, "Authorization":
               "Basic " + b64(f"{settings.name}:{settings.token}")}
    reply = client.request("POST", "/run", json.dumps(
        {"code_b64": b64("def main(): return 1")}), headers, auth=False)
    assert reply.json()["result"]["value"] == 1


def test_a_client_that_reads_to_the_first_newline(client: Client) -> None:
    body = json.dumps({"code_b64": b64("def main(): print('a\\nb')")})
    with client.socket() as sock:
        sock.sendall(head("POST", "/run", {"Host": "x", **JSON,
                                           **client.credentials()},
                          len(body)) + body.encode())
        data = b""
        while b"\r\n\r\n" not in data or \
                b"\n" not in data.partition(b"\r\n\r\n")[2]:
            got = sock.recv(65536)
            assert got
            data += got
    line = data.partition(b"\r\n\r\n")[2].partition(b"\n")[0]
    assert json.loads(line)["stdout"] == "a\nb\n"
