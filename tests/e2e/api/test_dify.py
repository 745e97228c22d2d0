"""The door of Dify's code sandbox, row by row of its contract. Requests are as
Dify sends them: the token in X-Api-Key, and a code node's program in a template
that prints its result between two tags."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from client import JSON, Client, Reply, b64

RUN = "/v1/sandbox/run"
LIST = "/v1/sandbox/dependencies"
TAG = "<<RESULT>>"

PYTHON = """# declare main function
%s

import json
from base64 import b64decode

# decode and prepare input dict
inputs_obj = json.loads(b64decode('%s').decode('utf-8'))

# execute main function
output_obj = main(**inputs_obj)

# convert output to json and print
output_json = json.dumps(output_obj, indent=4)
result = f'''<<RESULT>>{output_json}<<RESULT>>'''
print(result)
"""
JINJA = """# declare main function
def main(**inputs):
    import jinja2
    from base64 import b64decode
    template = jinja2.Template(b64decode('%s').decode('utf-8'))
    return template.render(**inputs)

import json
from base64 import b64decode

# decode and prepare input dict
inputs_obj = json.loads(b64decode('%s').decode('utf-8'))

# execute main function
output = main(**inputs_obj)

# convert output and print
result = f'''<<RESULT>>{output}<<RESULT>>'''
print(result)
"""
PRELOAD = "import jinja2\njinja2.Template('').render()\n"


def ask(client: Client, fields: Any, method: str = "POST", path: str = RUN,
        kind: str = "application/json", **options: Any) -> Reply:
    body = fields if fields is None or isinstance(fields, (str, bytes)) \
        else json.dumps(fields)
    return client.request(method, path, body, {
        "X-Api-Key": client.token or "", "Content-Type": kind}, auth=False,
        **options)


def envelope(reply: Reply, status: int = 200) -> dict[str, Any]:
    assert reply.status == status, reply.body[:300]
    assert reply.header("Content-Type") == "application/json"
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    got = reply.json()
    assert list(got) == ["code", "message", "data"]
    assert type(got["code"]) is int and type(got["message"]) is str
    return got


def run(client: Client, code: str, **fields: Any) -> dict[str, Any]:
    """Run CODE; the answer must be that to a program that ran."""
    got = envelope(ask(client, {"language": "python3", "code": code,
                                "preload": "", "enable_network": True,
                                **fields}))
    assert (got["code"], got["message"]) == (0, "success"), got
    assert list(got["data"]) == ["stdout", "stderr", "error", "exit_code"]
    assert (got["data"]["error"] == "") == (got["data"]["exit_code"] == 0) \
        or "output was cut" in got["data"]["error"]
    return got["data"]


def refused(reply: Reply, code: int, words: str, status: int = 200) -> None:
    got = envelope(reply, status)
    assert (got["code"], got["data"]) == (code, None), got
    assert words in got["message"], got


def result(data: dict[str, Any]) -> str:
    """The text between the tags, as Dify looks for it."""
    assert data["error"] == "", data
    found = re.search(f"{TAG}(.*){TAG}", data["stdout"], re.S)
    assert found, data["stdout"][:200]
    return found[1]


def node(client: Client, code: str, **inputs: Any) -> Any:
    """The result of a code node."""
    return json.loads(result(run(client, PYTHON % (
        code, b64(json.dumps(inputs))))))


def template(client: Client, text: str, **inputs: Any) -> str:
    return result(run(client, JINJA % (b64(text), b64(json.dumps(inputs))),
                      preload=PRELOAD))


# -- nodes


def test_a_code_node(client: Client) -> None:
    assert node(client, "def main(a: int, b: str) -> dict:\n"
                "    print('in between')\n"
                "    return {'result': b * a}", a=2, b="h\u00e9\U0001f600") == \
        {"result": "h\u00e9\U0001f600" * 2}


def test_inputs_of_a_megabyte(client: Client) -> None:
    text = "x" * (1 << 20)
    assert node(client, "def main(text): return {'n': len(text)}",
                text=text) == {"n": 1 << 20}


def test_a_template_node(client: Client) -> None:
    assert template(client, "Hello {{ name }}!\r\n{% for i in rows %}"
                    "{{ i }},{% endfor %}\n", name="W\u00f6rld",
                    rows=[1, 2, 3]) == "Hello W\u00f6rld!\n1,2,3,"
    assert template(client, "{{ a }}", a=" \r\n x \r\n ") == " \r\n x \r\n "


def test_a_template_that_fails(client: Client) -> None:
    data = run(client, JINJA % (b64("{{ a.b.c }}"), b64("{}")))
    assert data["exit_code"] == 255
    assert "UndefinedError" in data["error"]


def test_plain_code_and_its_output_byte_for_byte(client: Client) -> None:
    """The tool for simple code takes the standard output as it is."""
    assert run(client, "print('a\\r\\n', end='')")["stdout"] == "a\r\n"
    assert run(client, "import sys; sys.stdout.write('  x\\t ')")[
        "stdout"] == "  x\t "
    assert run(client, "pass") == {"stdout": "", "stderr": "", "error": "",
                                   "exit_code": 0}


def test_what_the_originals_tests_ask_for(client: Client) -> None:
    assert run(client, "from zoneinfo import ZoneInfo\n"
               "from datetime import datetime\n"
               "print(datetime(2024, 1, 1, tzinfo=ZoneInfo('Asia/Shanghai')"
               ").utcoffset())")["stdout"] == "8:00:00\n"
    data = run(client, "import logging\nlogging.warning('careful')")
    assert "careful" in data["stderr"] and data["stdout"] == ""
    assert (data["error"], data["exit_code"]) == ("", 0)
    assert len(run(client, "print('x' * 304486)")["stdout"]) == 304487
    assert "subprocess" in run(client, "import subprocess\n"
                               "subprocess.run(['ls'])")["error"]
    assert "Operation not permitted" in run(
        client, "import os\nos.fork()")["error"]


def test_bound_names(client: Client) -> None:
    """Programs that forgot their imports work, on this door only."""
    assert run(client, "print(os.sep, sys.argv[1:], traceback.__name__)")[
        "stdout"] == "/ [] traceback\n"
    assert not client.run("traceback").json()["success"]


def test_the_final_expression_is_only_evaluated(client: Client) -> None:
    code = ("class Odd:\n    def __repr__(self): raise ValueError('repr')\n"
            "Odd()")
    assert run(client, code)["error"] == ""


def test_no_lines_of_notebooks(client: Client) -> None:
    assert "SyntaxError" in run(client, "%time 1")["error"]


# -- ends of a program


def test_an_exception(client: Client) -> None:
    data = run(client, "import sys\nprint('out')\n"
               "print('warned', file=sys.stderr)\nraise ValueError('bad')")
    assert data["exit_code"] == 255 and data["stdout"] == "out\n"
    assert data["stderr"].startswith("warned\nTraceback (most recent")
    assert data["error"].startswith(
        "process exited with code 255\nwarned\nTraceback (most recent")
    assert "line 4" in data["error"] and "ValueError: bad" in data["error"]


@pytest.mark.parametrize("exit, code, words", [
    ("0", 0, ""), ("None", 0, ""), ("3", 3, ""), ("'text'", 1, "text\n"),
])
def test_exits(client: Client, exit: str, code: int, words: str) -> None:
    data = run(client, f"sys.exit({exit})")
    assert (data["exit_code"], data["stderr"]) == (code, words)
    assert data["error"] == (f"process exited with code {code}\n{words}"
                             if code else "")


def test_a_syntax_error(client: Client) -> None:
    data = run(client, "def main(:\n")
    assert data["exit_code"] == 255 and "SyntaxError" in data["error"]


def test_the_process_ends_itself(client: Client) -> None:
    assert run(client, "os._exit(0)")["error"] == ""
    data = run(client, "os._exit(7)")
    assert data["exit_code"] == 7 and "status 7" in data["error"]
    data = run(client, "import ctypes\nctypes.string_at(1)")
    assert data["exit_code"] == -1 and "SIGSEGV" in data["error"]


def test_memory(client: Client) -> None:
    data = run(client, "a = []\nwhile True: a.append(bytearray(1 << 24))")
    assert data["exit_code"] in (-1, 255)
    assert re.search("out of memory|MemoryError", data["error"])


def test_a_flood(client: Client) -> None:
    data = run(client, "while True: print('x' * 65536)")
    assert data["exit_code"] == -1
    assert "error: too much output: " in data["error"]


def test_cut_output_is_an_error(client: Client) -> None:
    data = run(client, f"print('{TAG}' + 'x' * (2 << 20) + '{TAG}')")
    assert data["exit_code"] == 0 and len(data["stdout"]) == 1 << 20
    assert data["error"] == (
        "error: output was cut: 1048597 bytes of stdout are missing "
        "(limit 1024 KB)\n")
    # Standard error may be cut: Dify does not read it.
    assert run(client, "sys.stderr.write('x' * (2 << 20))")["error"] == ""


def test_bytes_that_are_no_text(client: Client) -> None:
    data = run(client, "sys.stdout.buffer.write(b'a\\xffb')")
    assert data["stdout"] == "a\ufffdb"


# -- requests


@pytest.mark.parametrize("fields", [
    {"preload": ""}, {"preload": None}, {"enable_network": False},
    {"enable_network": None}, {"dependencies": [{"name": "x"}]},
    {"unknown": {"deep": [1]}},
])
def test_fields_without_an_effect(client: Client,
                                  fields: dict[str, Any]) -> None:
    got = envelope(ask(client, {"language": "python3",
                                "code": "print(1)", **fields}))
    assert got["data"]["stdout"] == "1\n"


@pytest.mark.parametrize("change, words", [
    ({"language": "nodejs"}, "Python only"),
    ({"language": "ruby"}, "unsupported language"),
    ({"language": ""}, "unsupported language"),
    ({"language": None}, "language"), ({"language": 3}, "language"),
    ({"code": ""}, "code"), ({"code": " \n\t"}, "code"),
    ({"code": None}, "code"), ({"code": ["x"]}, "code"),
    ({"preload": 1}, "preload"), ({"enable_network": "yes"},
                                  "enable_network"),
])
def test_refused_fields(client: Client, change: dict[str, Any],
                        words: str) -> None:
    """HTTP 200: Dify shows nothing of another answer."""
    refused(ask(client, {"language": "python3", "code": "1", **change}),
            -400, words)


@pytest.mark.parametrize("missing", ["language", "code"])
def test_missing_fields(client: Client, missing: str) -> None:
    fields = {"language": "python3", "code": "1"}
    del fields[missing]
    refused(ask(client, fields), -400, f"{missing} is missing")


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"null", b'"text"', b'{"code":"1","code":"2"}',
    b'{"language":"python3","code":"\\u0000"}', b"\xff", b"{} {}",
    b'{"language":"python3","code":"\\ud800"}', b"[" * 100000,
])
def test_refused_bodies(client: Client, body: bytes) -> None:
    refused(ask(client, body), -400, "")
    assert run(client, "print(1)")["stdout"] == "1\n"


def test_a_form(client: Client) -> None:
    form = "application/x-www-form-urlencoded"
    fields = {"language": "python3", "code": "print('\u00e9 + &')"}
    got = envelope(ask(client, urlencode(fields), kind=form))
    assert got["data"]["stdout"] == "\u00e9 + &\n"
    refused(ask(client, "code=1", kind=form), -400, "language is missing")
    refused(ask(client, "language=python3", kind=form), -400, "code")
    refused(ask(client, "language=python3&code=%ff", kind=form), -400,
            "code is not UTF-8")
    refused(ask(client, "language=python3&code=%00", kind=form), -400, "code")


def test_a_wrong_key(client: Client) -> None:
    for key in ("dify-sandbox", ""):
        reply = client.request("POST", RUN, "{}", {"X-Api-Key": key, **JSON},
                               auth=False)
        refused(reply, -401, "token", 401)


def test_wrong_methods_and_paths(client: Client) -> None:
    refused(ask(client, None, "GET"), -405, "method", 405)
    refused(ask(client, "{}", path="/v1/sandbox/other"), -404, "nothing", 404)


def test_an_encoded_body(client: Client) -> None:
    reply = client.request("POST", RUN, "{}", {"Content-Encoding": "gzip",
                                               **JSON})
    refused(reply, -415, "Content-Encoding")


def test_health_needs_no_key(client: Client) -> None:
    assert client.request("GET", "/health", auth=False).status == 200


# -- packages


@pytest.mark.parametrize("path", [LIST, LIST + "/refresh"])
def test_packages(client: Client, path: str) -> None:
    got = envelope(ask(client, None, "GET", path + "?language=python3"))
    assert (got["code"], got["message"]) == (0, "success")
    assert list(got["data"]) == ["dependencies"]
    rows = client.request("GET", "/packages").json()["packages"]
    assert got["data"]["dependencies"] == [
        {"name": row["name"], "version": row["version"]} for row in rows]


@pytest.mark.parametrize("query", ["", "?language=", "?language=nodejs",
                                   "?other=python3"])
def test_packages_of_another_language(client: Client, query: str) -> None:
    refused(ask(client, None, "GET", LIST + query), -400,
            "unsupported language")


def test_update_changes_nothing(client: Client) -> None:
    path = LIST + "/update"
    assert envelope(ask(client, {"language": "python3"}, path=path)) == \
        {"code": 0, "message": "success", "data": {}}
    for body in ({"language": "nodejs"}, {}, [], "{", {"language": 1}):
        refused(ask(client, body, path=path), -400, "")
