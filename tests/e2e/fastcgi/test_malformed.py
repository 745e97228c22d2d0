"""Faults of requests that the tables of test_bodies.py do not hold: limits at
their edges, programs that are hardly programs, files in odd company. Those
that need a web server are in test_malformed_http.py.
"""

from __future__ import annotations

import json

import pytest
from answers import check_json_error, check_parsing
from client import JSON, MEGABYTE, Client
from test_soak import own_conf

DEPTH = 200
KEYS = 10000


def nested(depth: int, opening: str, closing: str) -> bytes:
    """A body with containers DEPTH deep, itself included."""
    return ('{"code":"1","x":' + opening * (depth - 1)
            + (closing and "1" + closing * (depth - 1)) + "}").encode()


@pytest.mark.parametrize("opening, closing", [("[", "]"), ('{"a":', "}")])
def test_depth_at_the_limit(client: Client, opening: str,
                            closing: str) -> None:
    reply = client.request("POST", "/", nested(DEPTH, opening, closing),
                           JSON)
    assert reply.status == 200, reply.body
    check_json_error(client.request(
        "POST", "/", nested(DEPTH + 1, opening, closing), JSON), 400,
        "too_deep")


@pytest.mark.parametrize("code, value", [
    ("# nothing", None), ("\r1", 1), ("\f1", 1), ("1\r\n+ 1", 1),
    ("\n" * 1000000 + "7", 7), ("#" + "x" * (5 * MEGABYTE) + "\n8", 8),
    ("9" + " " * MEGABYTE, 9), ("'\u00e9\U0001f600'", "\u00e9\U0001f600"),
    ("1;" * 20000 + "5", 5)],
    ids=lambda value: ascii(value)[:12])
def test_hardly_a_program(client: Client, code: str, value: object) -> None:
    answer = client.run(code).json()
    assert answer["success"], answer
    assert answer.get("final_expression") == value


@pytest.mark.parametrize("code", ["", " ", "\r\n\t", "\f\v"], ids=ascii)
def test_no_program(client: Client, code: str) -> None:
    check_parsing(client.post({"code": code}), "no code provided")


@pytest.mark.parametrize("code", ["a\x1b", "\u2028", "(" * 10000,
                                  "x" + ".x" * 100000, "-" * 100000 + "1",
                                  "\x7f", "\ufeff\ufeff1"],
                         ids=lambda value: ascii(value)[:12])
def test_no_python(client: Client, code: str) -> None:
    """An answer like any other, whatever the compiler makes of it."""
    answer = client.run(code).json()
    assert not answer["success"]
    assert answer["error"]["type"] in ("SyntaxError", "RecursionError",
                                       "MemoryError", "IndentationError",
                                       "killed", "memory", "NameError")


def test_number_of_files_at_the_limit(client: Client) -> None:
    limit = int(own_conf().get("files_in", 1000))
    files = [{"filename": f"f{i}", "b64_data": ""} for i in range(limit + 1)]
    reply = client.post({"code": "import os\nlen(os.listdir())",
                         "files": files[:-1]})
    assert reply.json()["final_expression"] == limit
    check_json_error(client.post({"code": "1", "files": files}), 413, None,
                     "files")


def test_too_many_directories_for_home(client: Client) -> None:
    """No room for them: said before anything runs, naming the entry."""
    inodes = int(own_conf().get("home_inodes", 10000))
    deep = inodes // 900 + 2
    files = [{"filename": "/".join([f"d{i}"] + ["d"] * deep + ["f"]),
              "b64_data": ""} for i in range(950)]
    check_parsing(client.post({"code": "print('ran')", "files": files}),
                  "files[", "no room")


def test_unknown_keys_of_a_file_mean_nothing(client: Client) -> None:
    entry = {"filename": "f", "b64_data": "QQ==", "mode": "4777",
             "owner": 0, "link": "/etc/passwd", "content": "B",
             "encoding": "utf-16"}
    reply = client.post({"code": "import os\nst = os.lstat('f')\n"
                                 "[oct(st.st_mode & 0o7000), "
                                 "open('f').read()]", "files": [entry]})
    assert reply.json()["final_expression"] == ["0o0", "A"]


def test_key_of_a_file_twice_through_escapes(client: Client) -> None:
    body = (b'{"code":"1","files":[{"filename":"a","file\\u006eame":"b",'
            b'"b64_data":""}]}')
    check_json_error(client.request("POST", "/", body, JSON), 400,
                     "duplicate_key")


def test_files_that_python_would_load(client: Client) -> None:
    """They are data until the program itself asks for them."""
    evil = "raise SystemExit('loaded')"
    files = {name: evil for name in (
        "sitecustomize.py", "usercustomize.py", "numpy.py", "json.py",
        "encodings/__init__.py", "conftest.py", "x.pth", "__init__.py",
        "ast.py", "traceback.py", "io.py", "__main__.py")}
    files.update({"pyvenv.cfg": "home = /evil", "matplotlibrc": "evil",
                  "__pycache__/json.cpython-311.pyc": "evil"})
    answer = client.run("import json, numpy\nprint('é')\n"
                        "json.dumps([int(numpy.arange(3).sum())])",
                        files).json()
    assert answer["success"], answer
    assert answer["final_expression"] == "[3]"
    assert answer["output_files"] == []


def test_a_file_twice_in_the_answer(client: Client) -> None:
    """Links and rewritten inputs: each name once, each content once."""
    reply = client.run("import os\nopen('a', 'w').write('new')\n"
                       "os.link('a', 'b')\nopen('same', 'w').write('s');",
                       {"a": "old", "same": "s"})
    names = [f["filename"] for f in reply.json()["output_files"]]
    assert len(names) == len(set(names))
    found = reply.files()
    assert {found.get("a"), found.get("b")} <= {b"new", None} and found


@pytest.mark.parametrize("fields", [
    {"timeout_ms": 1}, {"memory_mb": 1}], ids=str)
def test_smallest_limits_are_answered(client: Client, fields: dict) -> None:
    answer = client.run("1 + 1", **fields).json()
    assert answer["success"] or answer["error"]["type"] in (
        "timeout", "memory", "MemoryError", "killed")


def test_as_many_keys_as_allowed(client: Client) -> None:
    keys = ",".join(f'"k{i}":0' for i in range(KEYS - 1))
    assert client.request("POST", "/", '{"code":"1",' + keys + "}",
                          JSON).status == 200
    check_json_error(client.request(
        "POST", "/", '{"code":"1","one":1,' + keys + "}", JSON), 400)


def test_keys_that_are_nearly_equal(client: Client) -> None:
    """Long keys that differ at their end only: no quadratic time."""
    keys = ",".join(f'"{"k" * 500}{i:05}":0' for i in range(9000))
    reply = client.request("POST", "/", json.loads(json.dumps(
        '{"code":"1",' + keys + "}")), JSON)
    assert reply.status == 200
    assert reply.seconds < 2
