"""E2B's door on the wire: its requests, its streams, its credentials. The SDK
itself is in test_e2b_sdk.py."""

from __future__ import annotations

import base64
import http.client
import json
import re
from typing import Any, Iterator, Optional

import pytest
from client import JSON, Client, Reply

LINE = re.compile(rb"[\x20-\x7f]+\Z")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def post(client: Client, path: str, fields: Any = None,
         sandbox: Optional[str] = None, wait: bool = True) -> Reply:
    body = fields if isinstance(fields, (str, bytes)) else \
        json.dumps({} if fields is None else fields)
    named = {"E2b-Sandbox-Id": sandbox} if sandbox else {}
    return client.request("POST", "/e2b" + path, body, {**JSON, **named},
                          wait=wait)


def create(client: Client, **fields: Any) -> dict[str, Any]:
    reply = post(client, "/sandboxes", fields)
    assert reply.status == 201, reply.body
    return reply.json()


def kill(client: Client, sandbox: str) -> int:
    return client.request("DELETE", f"/e2b/sandboxes/{sandbox}").status


def events(reply: Reply) -> list[dict[str, Any]]:
    """The lines of a run, each of which is printable ASCII."""
    assert reply.status == 200, reply.body
    assert reply.header("Content-Type") == "application/x-ndjson"
    lines = reply.body.split(b"\n")
    assert lines.pop() == b"" and all(LINE.match(line) for line in lines)
    return [json.loads(line, parse_constant=lambda name: pytest.fail(name))
            for line in lines]


@pytest.fixture(scope="module")
def sandbox(client: Client) -> Iterator[str]:
    found = create(client)["sandboxID"]
    yield found
    kill(client, found)


def run(client: Client, sandbox: str, code: str,
        **fields: Any) -> list[dict[str, Any]]:
    return events(post(client, "/execute", {"code": code, **fields}, sandbox))


# ---- sandboxes -------------------------------------------------------------


@pytest.mark.parametrize("path", ["/sandboxes", "/v2/sandboxes"])
def test_an_answer_holds_the_token_it_came_with(client: Client,
                                                path: str) -> None:
    reply = post(client, path, {"templateID": "mine", "timeout": 60})
    got = reply.json()
    assert reply.status == 201
    assert got == {
        "sandboxID": got["sandboxID"], "templateID": "mine", "clientID": "t",
        "envdVersion": "0.5.0", "envdAccessToken": client.token,
        "trafficAccessToken": client.token,
        "domain": f"{client.host}:{client.port}"}
    assert re.fullmatch("[0-9a-f]{16}[a-z0-9]{24}", got["sandboxID"])
    named = got["sandboxID"]
    again = post(client, path + f"/{named}/connect", {"timeout": 1})
    assert (again.status, again.json()) == (200, got)
    assert kill(client, named) == 204
    assert kill(client, named) == 404


def test_no_member_becomes_a_token(client: Client) -> None:
    """The word in place of the token has the id of its request, which no
    client knows in time."""
    word = "e2b-token-"
    early = post(client, "/sandboxes", {}).header("X-Request-Id")
    for forged in [word, word + str(early), word + "$request_id",
                   word + "0" * 32]:
        made = create(client, templateID=forged, metadata={forged: forged})
        assert made["templateID"] == forged
        got = client.request(
            "GET", f"/e2b/sandboxes/{made['sandboxID']}").json()
        assert got["metadata"] == {forged: forged}
        assert got["envdAccessToken"] == client.token
        listed = client.request("GET", "/e2b/sandboxes")
        assert str(client.token).encode() not in listed.body
        assert kill(client, made["sandboxID"]) == 204


def test_a_detail(client: Client) -> None:
    made = create(client, metadata={"ä": "\u2028", "b": ""}, timeout=100)
    path = f"/e2b/sandboxes/{made['sandboxID']}"
    got = client.request("GET", path).json()
    assert set(got) == {
        "sandboxID", "templateID", "clientID", "envdVersion",
        "envdAccessToken", "domain", "startedAt", "endAt", "state",
        "cpuCount", "memoryMB", "diskSizeMB", "metadata"}
    assert got["metadata"] == {"ä": "\u2028", "b": ""}
    assert (got["templateID"], got["state"]) == ("base", "running")
    assert got["startedAt"] < got["endAt"]
    assert client.request("GET", path + "/metrics").json() == []
    assert post(client, path[4:] + "/resume").status == 409
    assert post(client, path[4:] + "/timeout", {"timeout": 0}).status == 204
    for lost in (client.request("GET", path),
                 client.request("GET", path + "/metrics"),
                 post(client, path[4:] + "/resume"),
                 post(client, path[4:] + "/connect"),
                 post(client, path[4:] + "/timeout", {"timeout": 5})):
        assert (lost.status, lost.json()["code"]) == (404, 404)


def test_an_old_id_with_a_tail_is_the_same(client: Client,
                                           sandbox: str) -> None:
    got = client.request("GET", f"/e2b/sandboxes/{sandbox}-t").json()
    assert got["sandboxID"] == sandbox
    assert events(post(client, "/execute", {"code": "1"}, sandbox + "-t"))


@pytest.mark.parametrize("fields,word", [
    ({"timeout": "1"}, "timeout"), ({"timeout": 0}, "timeout"),
    ({"timeout": -1}, "timeout"), ({"timeout": 1.5}, "timeout"),
    ({"timeout": -10 ** 30}, "timeout"), ({"metadata": []}, "metadata"),
    ({"metadata": {"a": 1}}, "metadata"),
    ({"metadata": {"a": "x" * 4096}}, "metadata"),
    ({"envVars": {"a": 1}}, "envVars"), ({"envVars": {"1": ""}}, "envVars"),
    ({"envVars": {"LD_PRELOAD": ""}}, "envVars"), ({"envVars": 1}, "envVars"),
    ({"templateID": 1}, "templateID"), ({"templateID": "x" * 300}, "template"),
    ({"secure": "no"}, "secure"), ("[]", "object"), ("{", "JSON"),
    ('{"metadata":{"a":"\\u0000"}}', ""), (b'{"templateID":"\xff"}', "UTF-8"),
    ("", "body")])
def test_a_wrong_field_is_named(client: Client, fields: Any,
                                word: str) -> None:
    reply = post(client, "/sandboxes", fields)
    assert reply.status == 400, reply.body
    assert set(reply.json()) == {"code", "message"}
    assert reply.json()["code"] == 400
    assert word.lower() in reply.json()["message"].lower()


def test_absent_and_unknown_members_are_taken(client: Client) -> None:
    made = create(client, timeout=10 ** 30, templateID=None, metadata=None,
                  envVars=None, secure=None, autoPause=True,
                  network={"x": 1}, allow_internet_access=False)
    assert made["templateID"] == "base"
    assert kill(client, made["sandboxID"]) == 204


@pytest.mark.parametrize("path", [
    "/e2b/sandboxes/", "/e2b/sandboxes/x", "/e2b/sandboxes/" + "a" * 39,
    "/e2b/sandboxes/" + "a" * 41, "/e2b/sandboxes/" + "A" * 40,
    "/e2b/sandboxes/" + "a" * 40, "/e2b/sandboxes/%2e%2e", "/e2b/",
    "/e2b/sandboxes/" + "a" * 40 + "/x"])
def test_an_unknown_path_or_id(client: Client, path: str) -> None:
    reply = client.request("GET", path)
    assert (reply.status, reply.json()["code"]) == (404, 404)


def test_a_list_is_filtered_and_paged(client: Client) -> None:
    made = [create(client, metadata={"list": "a b&c=d"},
                   templateID=f"t{i}")["sandboxID"] for i in range(3)]
    wanted = "metadata=list%3Da%252520b%252526c%25253Dd"

    def listed(query: str) -> tuple[list[str], Optional[str]]:
        reply = client.request("GET", f"/e2b/v2/sandboxes?{query}")
        assert reply.status == 200, reply.body
        return ([one["sandboxID"] for one in reply.json()],
                reply.header("X-Next-Token"))

    assert sorted(listed(wanted)[0]) == sorted(made)
    first, token = listed(wanted + "&limit=2")
    second, end = listed(f"{wanted}&limit=2&nextToken={token}")
    assert sorted(first + second) == sorted(made) and end is None
    assert listed(wanted + "&template=t1")[0] == [made[1]]
    assert listed(wanted + "&state=paused")[0] == []
    assert len(listed(wanted + "&state=paused,running")[0]) == 3
    assert listed(wanted + "&startedAfter=2999-01-01T00:00:00Z")[0] == []
    assert listed("metadata=list%3Dno")[0] == []
    assert listed("metadata=%26%3D%26list")[0] is not None
    for wrong in ("limit=0", "limit=x", "nextToken=-1", "startedAfter=now",
                  "limit=99999999999999999999"):
        reply = client.request("GET", f"/e2b/sandboxes?{wrong}")
        assert reply.status == 400 and wrong.split("=")[0] in \
            reply.json()["message"]
    for one in made:
        assert kill(client, one) == 204


def test_a_session_of_another_door_is_no_sandbox(client: Client) -> None:
    name = "a" * 40
    assert client.request("POST", "/", json.dumps(
        {"session": name, "code": "1"}), JSON).status == 200
    assert client.request("GET", f"/e2b/sandboxes/{name}").status == 404
    assert name not in [one["sandboxID"] for one in
                        client.request("GET", "/e2b/sandboxes").json()]
    assert client.request("POST", "/release", json.dumps(
        {"user_uuid": name}), JSON).status == 200


def test_health(client: Client, sandbox: str) -> None:
    def health(named: Optional[str]) -> int:
        return client.request("GET", "/e2b/health", headers={
            "E2b-Sandbox-Id": named} if named else {}).status

    assert (health(sandbox), health("a" * 40), health(None)) == (204, 502, 200)


@pytest.mark.parametrize("path", [
    f"/sandboxes/{'a' * 40}/{word}" for word in
    ("pause", "fork", "snapshots", "network", "refreshes")] + [
        "/templates", "/v3/templates", "/v2/templates/x/builds", "/volumes",
        "/secrets/a"])
def test_what_is_not_there(client: Client, path: str) -> None:
    reply = post(client, path)
    assert (reply.status, reply.json()["code"]) == (501, 501)


# ---- credentials -----------------------------------------------------------


def test_each_header_takes_a_key(client: Client, stranger: Client) -> None:
    for name in ("X-Access-Token", "E2B-Traffic-Access-Token", "X-API-KEY"):
        for key in (f"e2b_{client.token}", str(client.token)):
            reply = stranger.request("GET", "/e2b/health", headers={name: key})
            assert reply.status == 200, (name, reply.body)
    basic = base64.b64encode(b"user:").decode()
    for other in (f"Basic {basic}", "Bearer e2b_00"):
        reply = stranger.request("GET", "/e2b/health", headers={
            "X-API-KEY": f"e2b_{client.token}", "Authorization": other})
        assert reply.status == 200
    assert stranger.request("GET", "/available-packages", headers={
        "Authorization": f"Bearer e2b_{client.token}"}).status == 200


@pytest.mark.parametrize("key", ["e2b_", "e2b_" + "0" * 64, "e2b_e2b_00"])
def test_a_wrong_key(stranger: Client, key: str) -> None:
    reply = stranger.request("GET", "/e2b/sandboxes",
                             headers={"X-API-KEY": key})
    assert (reply.status, reply.json()["code"]) == (401, 401)


def test_names_lead_to_the_same_paths(client: Client, sandbox: str) -> None:
    connection = client.connection(30)

    def ask(method: str, host: str, path: str, body: Optional[str] = None,
            named: str = "") -> http.client.HTTPResponse:
        headers = {**JSON, **client.credentials(), "Host": host,
                   **({"E2b-Sandbox-Id": named} if named else {})}
        connection.request(method, path, body, headers)
        return connection.getresponse()

    got = ask("POST", "api.e2b.test:99", f"/sandboxes/{sandbox}/connect")
    assert json.loads(got.read())["domain"] == "e2b.test:99"
    got = ask("POST", f"49999-{sandbox}.e2b.test", "/execute",
              '{"code": "6*7"}')
    assert b'"text":"42"' in got.read()
    for port, status in (("49983", 204), ("49999", 204), ("3000", 502)):
        got = ask("GET", f"{port}-{sandbox}.e2b.test", "/health",
                  named=sandbox)
        assert (got.status, got.read() != b"") == (status, status == 502)
    got = ask("GET", "api.e2b.test", "/health")
    assert (got.status, b"ok" in got.read()) == (200, True)
    connection.close()


def test_an_id_alone_is_no_credential(stranger: Client,
                                      sandbox: str) -> None:
    """Unless e2b_ids says so: test_e2b_ids.py."""
    for method, port, path in (
            ("POST", 49999, "/execute"), ("POST", 49999, "/contexts"),
            ("GET", 49983, "/files?path=x"),
            ("POST", 49983, "/filesystem.Filesystem/Stat")):
        for basic in ({}, {"Authorization": "Basic dXNlcjo="}):
            connection = stranger.connection(30)
            connection.request(method, path, "{}", {
                **JSON, **basic, "Host": f"{port}-{sandbox}.e2b.test"})
            assert connection.getresponse().status in (401, 429)
            connection.close()


# ---- programs --------------------------------------------------------------


def test_events_of_a_program(client: Client) -> None:
    named = create(client)["sandboxID"]
    first, out, err, value, end = run(
        client, named, "import sys\nprint('a')\nsys.stdout.flush()\n"
        "print('b', file=sys.stderr)\nsys.stderr.flush()\n'it'")
    assert first == {"type": "number_of_executions", "execution_count": 1}
    assert (out["type"], out["text"]) == ("stdout", "a\n")
    assert (err["type"], err["text"]) == ("stderr", "b\n")
    assert STAMP.match(out["timestamp"])
    assert value == {"type": "result", "text": "it", "is_main_result": True}
    assert end == {"type": "end_of_execution"}
    assert run(client, named, "1")[0]["execution_count"] == 2
    assert kill(client, named) == 204


def test_output_of_any_bytes_is_one_line_each(client: Client,
                                              sandbox: str) -> None:
    """Control bytes, half a character, ends of lines of all kinds, a forged
    line."""
    forged = '{"type":"end_of_execution"}'
    text = "\x00\x01\x1b[0m\r\n\n\x85\u2028\u2029\u00e4\U0001f40d\x7f" + forged
    got = run(client, sandbox, "import os\n"
              f"os.write(1, {text.encode()!r} + b'\\xe2\\x82')\n"
              "os.write(1, b'\\xac\\xff')\ndisplay('\\u2028')")
    said = "".join(one["text"] for one in got if one["type"] == "stdout")
    assert said == text + "\u20ac\ufffd"
    assert [one["type"] for one in got].count("end_of_execution") == 1


def test_a_value_cannot_forge_the_line(client: Client, sandbox: str) -> None:
    got = run(client, sandbox, "display({'type': 'end_of_execution', "
              "'is_main_result': True, 'text/plain': 'x', "
              "'application/x-own': {'a': 1}}, raw=True)")
    assert got[1] == {"type": "result", "text": "x", "is_main_result": False,
                      "extra": {"application/x-own": {"a": 1}}}


@pytest.mark.parametrize("code,name,value", [
    ("raise ValueError('a\\n\\u2028b')", "ValueError", "a\n\u2028b"),
    ("class End(BaseException): pass\nraise End('x' * 200000)", "End",
     "x" * 200000),
    ("import decimal\ndecimal.Decimal('x')", "InvalidOperation",
     "[<class 'decimal.ConversionSyntax'>]"),
    ("class E(Exception):\n def __str__(self): return 1/0\nraise E", "E",
     "<exception str() failed: E>"),
    ("raise KeyError", "KeyError", ""),
    ("import sys\nsys.exit(3)", "SystemExit", "3"),
    ("1 +", "SyntaxError", None)])
def test_an_exception(client: Client, sandbox: str, code: str, name: str,
                      value: Optional[str]) -> None:
    got = run(client, sandbox, code)
    assert [one["type"] for one in got] == [
        "number_of_executions", "error", "end_of_execution"]
    error = got[1]
    assert error["name"] == name
    assert value is None or error["value"] == value
    assert name in error["traceback"]


def test_the_end_of_a_process(client: Client) -> None:
    named = create(client)["sandboxID"]
    got = run(client, named, "import os\nos._exit(3)")
    error = got[-2]
    assert error["name"] == "UnexpectedEndOfExecution"
    assert "session" in error["value"]
    assert kill(client, named) in (204, 404)


@pytest.mark.parametrize("language", ["js", "r", "bash", "Python\n", "\u2028"])
def test_another_language(client: Client, sandbox: str,
                          language: str) -> None:
    error, end = run(client, sandbox, "1", language=language)
    assert error["name"] == "UnsupportedLanguage"
    assert end["type"] == "end_of_execution"


@pytest.mark.parametrize("fields,word", [
    ({}, "code"), ({"code": 1}, "code"), ({"code": "1", "language": 1}, "lang"),
    ({"code": "1", "context_id": []}, "context_id"),
    ({"code": "1", "context_id": "x", "language": "python"}, "exclude"),
    ({"code": "1", "env_vars": []}, "env_vars"),
    ({"code": "1", "env_vars": {"A": None}}, "env_vars"),
    ({"code": "1", "env_vars": {"PYTHONPATH": "x"}}, "env_vars"),
    ('{"code": "\\u0000"}', ""), ("nonsense", "JSON")])
def test_a_wrong_program(client: Client, sandbox: str, fields: Any,
                         word: str) -> None:
    """The body is one sentence, which SDKs show as it is."""
    reply = post(client, "/execute", fields, sandbox)
    assert reply.status == 400, reply.body
    assert (reply.header("Content-Type") or "").startswith("text/plain")
    assert word.lower() in reply.body.decode().lower()


def test_no_sandbox(client: Client) -> None:
    for named in (None, "x", "a" * 40):
        reply = post(client, "/execute", {"code": "1"}, named)
        assert (reply.status, reply.body) == (
            502, b"there is no such sandbox\n")


def test_variables_are_for_their_sandbox(client: Client) -> None:
    named = create(client, envVars={"MINE": "ä=\n"})["sandboxID"]
    code = "import os\nos.environ.get('MINE')"
    assert run(client, named, code)[1]["text"] == "ä=\\n"
    assert run(client, named, code, env_vars={"MINE": "2"})[1]["text"] == "2"
    assert run(client, named, code)[1]["text"] == "ä=\\n"
    run(client, named, "1/0", env_vars={"MINE": "3"})
    assert run(client, named, code)[1]["text"] == "ä=\\n"
    assert kill(client, named) == 204


# ---- contexts --------------------------------------------------------------


def ask(client: Client, method: str, path: str, sandbox: str) -> Reply:
    return client.request(method, "/e2b" + path, headers={
        "E2b-Sandbox-Id": sandbox})


def test_contexts(client: Client) -> None:
    named = create(client, envVars={"A": "1"})["sandboxID"]
    run(client, named, "x = 1")
    own = {"id": named, "language": "python", "cwd": "/home/user"}
    assert ask(client, "GET", "/contexts", named).json() == [own]
    made = post(client, "/contexts", {"cwd": "/tmp"}, named).json()
    assert made == {"id": made["id"], "language": "python", "cwd": "/tmp"}
    other = post(client, "/contexts", "", named).json()["id"]
    assert [one["id"] for one in
            ask(client, "GET", "/contexts", named).json()] == [
                named, made["id"], other]
    got = run(client, named, "import os\n('x' in dir(), os.environ['A'])",
              context_id=other)
    assert got[0]["execution_count"] == 1
    assert got[1]["text"] == "(False, '1')"
    assert run(client, named, "x", context_id=named)[1]["text"] == "1"
    for one in (made["id"], named):
        reply = post(client, f"/contexts/{one}/restart", None, named)
        assert (reply.status, reply.body) == (200, b"null\n")
        got = run(client, named, "('x' in dir(), 1)", context_id=one)
        assert got[1]["text"] == "(False, 1)"
    assert ask(client, "DELETE", f"/contexts/{other}", named).status == 200
    assert ask(client, "DELETE", f"/contexts/{named}", named).status == 400
    for lost in (other, "f" * 32, "0", "a" * 40):
        assert ask(client, "DELETE", f"/contexts/{lost}", named).status == 404
        assert post(client, f"/contexts/{lost}/restart", None, named
                    ).status == 404
        assert post(client, "/execute", {"code": "1", "context_id": lost},
                    named).status == 404
    assert kill(client, named) == 204
    assert ask(client, "GET", "/contexts", named).status == 502
    assert post(client, "/contexts", {}, named).status == 502


def test_contexts_are_bounded(client: Client) -> None:
    named = create(client)["sandboxID"]
    made = []
    while (reply := post(client, "/contexts", {}, named, wait=False)
           ).status == 200:
        made.append(reply.json()["id"])
    assert (reply.status, len(made)) == (429, 4)
    assert reply.header("Retry-After") is None
    assert ask(client, "DELETE", f"/contexts/{made[0]}", named).status == 200
    assert post(client, "/contexts", {}, named).status == 200
    assert kill(client, named) == 204


@pytest.mark.parametrize("fields,word", [
    ({"cwd": 1}, "cwd"), ({"cwd": "/nowhere"}, "cwd"),
    ({"cwd": "x" * 701}, "cwd"), ({"language": "r"}, "language"),
    ({"language": 1}, "language"), ("[]", "object")])
def test_a_wrong_context(client: Client, sandbox: str, fields: Any,
                         word: str) -> None:
    reply = post(client, "/contexts", fields, sandbox)
    assert reply.status == 400 and word in reply.body.decode()
    assert len(ask(client, "GET", "/contexts", sandbox).json()) == 1


# ---- processes -------------------------------------------------------------


def test_streams_of_processes_end_with_a_frame(client: Client,
                                               sandbox: str) -> None:
    for path in ("/process.Process/Start", "/process.Process/Connect",
                 "/filesystem.Filesystem/WatchDir"):
        reply = post(client, path, {"process": {"cmd": "ls"}}, sandbox)
        assert reply.status == 200
        assert reply.header("Content-Type") == "application/connect+json"
        assert reply.body[0] == 2
        size = int.from_bytes(reply.body[1:5], "big")
        assert size == len(reply.body) - 5
        assert json.loads(reply.body[5:])["error"]["code"] == "unimplemented"
    for name, status, code in (("SendSignal", 404, "not_found"),
                               ("SendInput", 501, "unimplemented"),
                               ("Update", 501, "unimplemented")):
        reply = post(client, f"/process.Process/{name}", {}, sandbox)
        assert (reply.status, reply.json()["code"]) == (status, code)
