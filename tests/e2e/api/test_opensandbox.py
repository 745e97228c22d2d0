"""The door of OpenSandbox's clients on the wire. LiteLLM, which has no SDK in
between, is written out here as raw HTTP; the npm client is in
test_opensandbox_sdk.py."""

from __future__ import annotations

import base64
import json
import re
import time
from typing import Any, Iterator, Optional

import pytest
from client import JSON, Client, Reply

KEY = "OPEN-SANDBOX-API-KEY"
LIFE = "/opensandbox/v1"
KINDS = {"init", "execution_count", "stdout", "stderr", "result", "error",
         "ping", "execution_complete"}


def ask(stranger: Client, key: Optional[str], method: str, path: str,
        fields: Any = None, **headers: str) -> Reply:
    """A call with a key as OpenSandbox's clients send it, and no other."""
    body = None if fields is None else fields \
        if isinstance(fields, (str, bytes)) else json.dumps(fields)
    named = {KEY: key} if key else {}
    return stranger.request(method, path, body, {**JSON, **named, **headers})


def litellm_body(**more: Any) -> dict[str, Any]:
    return {"image": {"uri": "opensandbox/code-interpreter:latest"},
            "entrypoint": ["/opt/opensandbox/code-interpreter.sh"],
            "timeout": 300, "resourceLimits": {"cpu": "500m",
                                               "memory": "512Mi"},
            "networkPolicy": {"defaultAction": "deny", "egress": []}, **more}


class Sandbox:
    """One, with the address and the headers that the server tells."""

    def __init__(self, client: Client, stranger: Client,
                 **fields: Any) -> None:
        self.stranger, self.key = stranger, client.token
        made = ask(stranger, self.key, "POST", LIFE + "/sandboxes",
                   litellm_body(**fields))
        assert made.status == 202, made.body
        self.made = made.json()
        self.id = self.made["id"]
        assert self.made["status"]["state"] == "Running"
        told = self.life("GET", "/endpoints/44772?use_server_proxy=false")
        self.headers = told.json()["headers"]
        host, _, self.path = told.json()["endpoint"].partition("/")
        assert host == f"{client.host}:{client.port}"
        self.path = "/" + self.path

    def life(self, method: str, path: str = "", fields: Any = None) -> Reply:
        return ask(self.stranger, self.key, method,
                   f"{LIFE}/sandboxes/{self.id}{path}", fields)

    def call(self, method: str, path: str, fields: Any = None) -> Reply:
        return ask(self.stranger, None, method, self.path + path, fields,
                   **self.headers)

    def run(self, code: str, language: Optional[str] = "python",
            **context: Any) -> list[dict[str, Any]]:
        if language:
            context["language"] = language
        return events(self.call("POST", "/code", {
            "code": code, "context": context}))


def events(reply: Reply) -> list[dict[str, Any]]:
    """The events of a run, each of them one line of printable ASCII."""
    assert reply.status == 200, reply.body
    assert reply.header("Content-Type") == "text/event-stream"
    found = []
    for event in reply.body.decode("ascii").split("\n\n")[:-1]:
        assert re.fullmatch(r"data: {[ -\x7f]*", event), event
        found.append(json.loads(event[6:]))
    assert reply.body.endswith(b"}\n\n")
    assert {one["type"] for one in found} <= KINDS
    now = time.time() * 1000
    assert all(abs(now - one["timestamp"]) < 600_000 for one in found)
    assert found[-1]["type"] == "execution_complete"
    return found


def of(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one for one in found if one["type"] == kind]


def text(found: list[dict[str, Any]], kind: str = "stdout") -> str:
    return "".join(one["text"] for one in of(found, kind))


def value(found: list[dict[str, Any]]) -> str:
    (one,) = of(found, "result")
    return one["results"]["text"]


@pytest.fixture(scope="module")
def sandbox(client: Client, stranger: Client) -> Iterator[Sandbox]:
    found = Sandbox(client, stranger)
    yield found
    found.life("DELETE")


# ---- LiteLLM ---------------------------------------------------------------


def litellm_lines(lines: list[str]) -> list[dict[str, Any]]:
    """The messages as that client reads them: line by line."""
    found = []
    for line in (one.strip() for one in lines):
        if not line or line.startswith((":", "event:", "id:", "retry:")):
            continue
        data = line[5:].strip() if line.startswith("data:") else line
        try:
            parsed = json.loads(data)
        except json.JSONDecodeError:
            continue
        if isinstance(parsed, dict):
            found.append(parsed)
    return found


def test_litellm_makes_runs_and_deletes(client: Client,
                                        stranger: Client) -> None:
    base = f"https://{client.host}:{client.port}{LIFE}"
    key = {"Content-Type": "application/json", KEY: str(client.token)}
    made = stranger.request("POST", LIFE + "/sandboxes",
                            json.dumps(litellm_body()), key)
    assert 200 <= made.status < 300, made.body
    named = str(made.json()["id"])
    assert made.json()["status"]["state"] == "Running"
    for proxy in ("false", "true"):
        told = stranger.request(
            "GET", f"{LIFE}/sandboxes/{named}/endpoints/44772"
            f"?use_server_proxy={proxy}", headers=key)
        assert told.status == 200, told.body
    endpoint = str(told.json()["endpoint"]).rstrip("/")
    url = f"{base.split('://', 1)[0]}://{endpoint}/code"
    assert url.startswith(f"https://{client.host}:{client.port}/")
    headers = {str(k): str(v) for k, v in told.json()["headers"].items()}
    ran = stranger.request(
        "POST", "/" + url.split("/", 3)[3],
        json.dumps({"code": "print('hé')\nimport sys\n"
                            "print('bad', file=sys.stderr)\n6 * 7",
                    "context": {"language": "python"}}),
        {"Content-Type": "application/json", "Accept": "text/event-stream",
         "Cache-Control": "no-cache", **headers})
    assert ran.status == 200, ran.body
    messages = litellm_lines(ran.body.decode().splitlines())
    assert "".join(one["text"] for one in of(messages, "stdout")) == "hé\n"
    assert "".join(one["text"] for one in of(messages, "stderr")) == "bad\n"
    assert [one["results"] for one in of(messages, "result")] == [
        {"text": "42"}]
    assert of(messages, "execution_count")[0]["execution_count"] == 1
    assert of(messages, "error") == []
    for status in (204, 404):
        assert stranger.request("DELETE", f"{LIFE}/sandboxes/{named}",
                                headers=key).status == status


# ---- credentials -----------------------------------------------------------


def test_an_address_holds_the_token_it_came_with(client: Client,
                                                 sandbox: Sandbox) -> None:
    assert sandbox.headers == {"X-EXECD-ACCESS-TOKEN": client.token}
    assert sandbox.path == "/opensandbox/" + sandbox.id


def test_each_header_takes_a_key(client: Client, stranger: Client,
                                 sandbox: Sandbox) -> None:
    key = str(client.token)
    for headers in ({KEY: key}, {"X-EXECD-ACCESS-TOKEN": key},
                    {"Authorization": "Bearer " + key},
                    {KEY: key, "Authorization": "Bearer other"}):
        for path in (LIFE + "/sandboxes", sandbox.path + "/ping"):
            assert stranger.request("GET", path,
                                    headers=headers).status == 200
    for headers in ({KEY: "x" + key}, {}, {"X-EXECD-ACCESS-TOKEN": "-"}):
        for path in (LIFE + "/sandboxes", sandbox.path + "/ping"):
            lost = stranger.request("GET", path, headers=headers)
            assert (lost.status, lost.json()["code"]) == (
                401, "unauthorized")
    for name in (KEY, "X-EXECD-ACCESS-TOKEN"):  # on these paths alone
        assert stranger.request("GET", "/available-packages",
                                headers={name: key}).status == 401


def test_no_member_becomes_a_token(client: Client,
                                   stranger: Client) -> None:
    word = "e2b-token-"
    found = Sandbox(client, stranger, metadata={word: word + "0" * 32},
                    image={"uri": word})
    assert found.headers == {"X-EXECD-ACCESS-TOKEN": client.token}
    got = found.life("GET").json()
    assert got["metadata"] == {word: word + "0" * 32}
    assert got["image"] == {"uri": word}
    assert str(client.token).encode() not in found.life("GET").body
    assert found.life("DELETE").status == 204


# ---- the lifecycle ---------------------------------------------------------


def seconds(stamp: str) -> float:
    return time.mktime(time.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ")) - \
        time.timezone


def test_a_detail(client: Client, stranger: Client) -> None:
    found = Sandbox(client, stranger, metadata={"ä": "\u2028"}, timeout=100)
    assert set(found.made) == {"id", "status", "metadata", "entrypoint",
                               "createdAt", "expiresAt"}
    got = found.life("GET").json()
    assert got["image"] == {"uri": litellm_body()["image"]["uri"]}
    assert got["metadata"] == found.made["metadata"] == {"ä": "\u2028"}
    assert (got["id"], got["status"]["state"]) == (found.id, "Running")
    assert isinstance(got["entrypoint"], list)
    assert 50 <= seconds(got["expiresAt"]) - seconds(got["createdAt"]) <= 400
    assert found.call("GET", "/ping").status == 200
    assert found.life("DELETE").status == 204
    for lost in (found.life("GET"), found.life("DELETE"),
                 found.life("GET", "/endpoints/44772"),
                 found.call("GET", "/ping"),
                 found.call("GET", "/code/contexts"),
                 found.call("POST", "/code/context", {}),
                 found.call("POST", "/code", {"code": "1"}),
                 found.life("POST", "/renew-expiration",
                            {"expiresAt": "2999-01-01T00:00:00Z"})):
        assert (lost.status, lost.json()) == (
            404, {"code": "not_found", "message": "there is no such sandbox"})


def test_a_sandbox_without_a_timeout_lives_as_long_as_any(
        client: Client, stranger: Client) -> None:
    kept = Sandbox(client, stranger, timeout=None)
    short = Sandbox(client, stranger, timeout=60)
    assert kept.made["expiresAt"] > short.made["expiresAt"]
    later = time.strftime("%Y-%m-%dT%H:%M:%S.123Z",
                          time.gmtime(time.time() + 10 ** 6))
    got = short.life("POST", "/renew-expiration", {"expiresAt": later})
    assert got.status == 200, got.body
    assert got.json()["expiresAt"] >= kept.made["expiresAt"]
    soon = time.strftime("%Y-%m-%dT%H:%M:%S+00:00",
                         time.gmtime(time.time() + 100))
    again = short.life("POST", "/renew-expiration", {"expiresAt": soon})
    assert again.json()["expiresAt"] >= got.json()["expiresAt"]
    for one in (kept, short):
        assert one.life("DELETE").status == 204


def test_sandboxes_are_listed_in_pages(client: Client,
                                       stranger: Client) -> None:
    made = [Sandbox(client, stranger, metadata={"of": "a +%41", "n": str(n)})
            for n in range(3)]

    def listed(query: str) -> dict[str, Any]:
        reply = ask(stranger, client.token, "GET",
                    LIFE + "/sandboxes?" + query)
        assert reply.status == 200, reply.body
        return reply.json()

    wanted = "state=Paused&state=running&metadata=of%3Da%20%2B%2541"
    assert {one["id"] for one in listed(wanted)["items"]} == {
        one.id for one in made}
    got = listed(wanted + "%26n%3D1&pageSize=7")
    assert [one["id"] for one in got["items"]] == [made[1].id]
    assert got["pagination"] == {
        "page": 1, "pageSize": 7, "totalItems": 1, "totalPages": 1,
        "hasNextPage": False}
    some = listed("pageSize=2")
    assert len(some["items"]) == 2
    pages = some["pagination"]
    assert pages["hasNextPage"] is True and pages["totalItems"] >= 3
    assert pages["totalPages"] == (pages["totalItems"] + 1) // 2
    last = listed(f"pageSize=2&page={pages['totalPages']}")
    assert last["pagination"]["hasNextPage"] is False and last["items"]
    assert listed("state=Paused")["pagination"]["totalItems"] == 0
    for query in ("page=0", "page=x", "pageSize=0", "pageSize=1000000"):
        bad = ask(stranger, client.token, "GET", LIFE + "/sandboxes?" + query)
        assert (bad.status, query.split("=")[0] in bad.json()["message"]) \
            == (400, True)
    for one in made:
        assert one.life("DELETE").status == 204


@pytest.mark.parametrize("fields,word", [
    ({"image": "python"}, "image"), ({"image": {}}, "image.uri"),
    ({"image": {"uri": 1}}, "image.uri"),
    ({"image": {"uri": "x" * 300}}, "image.uri"),
    ({"timeout": "1"}, "timeout"), ({"timeout": 0}, "timeout"),
    ({"timeout": 1.5}, "timeout"), ({"metadata": []}, "metadata"),
    ({"metadata": {"a": 1}}, "metadata"),
    ({"metadata": {"a": "x" * 4096}}, "metadata"),
    ({"env": {"a": 1}}, "env"), ({"env": []}, "env"),
    ({"env": {"LD_PRELOAD": ""}}, "env"), ({"entrypoint": "sh"}, "entrypoint"),
    ({"resourceLimits": []}, "resourceLimits"),
    ({"resourceRequests": 1}, "resourceRequests"),
    ({"networkPolicy": "deny"}, "networkPolicy"),
    ({"secureAccess": "no"}, "secureAccess"), ({"platform": []}, "platform"),
    ({"extensions": []}, "extensions"), ({"volumes": {}}, "volumes"),
    ({"snapshotId": 1}, "snapshotId"),
    ("[]", "object"), ("{", "JSON"), ("", "body")])
def test_a_wrong_body(client: Client, stranger: Client, fields: Any,
                      word: str) -> None:
    reply = ask(stranger, client.token, "POST", LIFE + "/sandboxes", fields)
    assert reply.status == 400, reply.body
    assert set(reply.json()) == {"code", "message"}
    assert word in reply.json()["message"]


@pytest.mark.parametrize("fields,word", [
    ({}, "expiresAt"), ({"expiresAt": 1}, "expiresAt"),
    ({"expiresAt": "soon"}, "expiresAt"), ({"expiresAt": ""}, "expiresAt"),
    ({"expiresAt": "2999-01-01"}, "expiresAt"),
    ({"expiresAt": "2999-01-01T00:00:00"}, "expiresAt"),
    ({"expiresAt": "2001-01-01T00:00:00Z"}, "future"), ("[]", "object")])
def test_a_wrong_end(sandbox: Sandbox, fields: Any, word: str) -> None:
    reply = sandbox.life("POST", "/renew-expiration", fields)
    assert (reply.status, word in reply.json()["message"]) == (400, True)


def test_other_ports_have_no_address(sandbox: Sandbox) -> None:
    for port in ("8080", "0", "65536", "447720", "x"):
        reply = sandbox.life("GET", "/endpoints/" + port)
        assert (reply.status, "44772" in reply.json()["message"]) == (
            404, True)
    # The npm client asks for this one, too, when it makes a sandbox.
    assert sandbox.life("GET", "/endpoints/18080").status == 200
    assert sandbox.life("GET", "/endpoints/44772?expires=1").status == 501


def test_parts_that_are_not_here(client: Client, stranger: Client,
                                 sandbox: Sandbox) -> None:
    for method, path in (("POST", "/pause"), ("POST", "/resume"),
                         ("POST", "/snapshots"), ("PATCH", "/metadata")):
        reply = sandbox.life(method, path, {})
        assert (reply.status, reply.json()["code"]) == (
            501, "not_implemented")
    for method, path in (("GET", "/snapshots"), ("GET", "/snapshots/x"),
                         ("POST", "/metrics/events")):
        reply = ask(stranger, client.token, method, LIFE + path)
        assert (reply.status, reply.json()["code"]) == (
            501, "not_implemented")
    for method, path in (("POST", "/session/x/run"), ("GET", "/metrics"),
                         ("GET", "/metrics/watch"), ("GET", "/policy"),
                         ("POST", "/v1/isolated/session"),
                         ("GET", "/command/status/x"),
                         ("GET", "/command/x/logs"), ("POST", "/pty")):
        reply = sandbox.call(method, path)
        assert (reply.status, reply.json()["code"]) == (
            501, "not_implemented"), path
    for path in ("/command", "/session"):
        reply = sandbox.call("POST", path, {"command": "ls"})
        assert reply.status == 501
        assert "There is no shell" in reply.json()["message"]
    reply = sandbox.call("DELETE", "/code?id=x")
    assert (reply.status, "hangs up" in reply.json()["message"]) == (501, True)
    for fields in ({"snapshotId": "x"},
                   {"volumes": [{"name": "v", "mountPath": "/v"}]}):
        reply = ask(stranger, client.token, "POST", LIFE + "/sandboxes",
                    litellm_body(**fields))
        assert reply.status == 501
        assert list(fields)[0] in reply.json()["message"]


def test_an_unknown_id(client: Client, stranger: Client) -> None:
    for named in ("a" * 40, "x", "v1"):
        for path in (f"{LIFE}/sandboxes/{named}", f"/opensandbox/{named}/ping",
                     f"/opensandbox/{named}/code/contexts"):
            reply = ask(stranger, client.token, "GET", path)
            assert (reply.status, reply.json()["code"]) == (404, "not_found")


def test_a_sandbox_of_e2b_is_one(client: Client, stranger: Client) -> None:
    made = client.request("POST", "/e2b/sandboxes", "{}", JSON).json()
    path = f"{LIFE}/sandboxes/{made['sandboxID']}"
    got = ask(stranger, client.token, "GET", path).json()
    assert got["image"] == {"uri": "base"} and got["metadata"] == {}
    assert ask(stranger, client.token, "DELETE", path).status == 204


# ---- programs --------------------------------------------------------------


def test_events_of_a_program(client: Client, stranger: Client) -> None:
    found = Sandbox(client, stranger)
    got = found.run("import sys\nprint('a')\nsys.stdout.flush()\n"
                    "print('b', file=sys.stderr)\nsys.stderr.flush()\n'it'")
    assert [one["type"] for one in got] == [
        "init", "execution_count", "stdout", "stderr", "result",
        "execution_complete"]
    assert got[0]["text"] == found.id
    assert got[1]["execution_count"] == 1
    assert (got[2]["text"], got[3]["text"]) == ("a\n", "b\n")
    assert got[4]["results"] == {"text": "'it'"}
    assert got[5]["execution_time"] >= 0
    assert found.run("1")[1]["execution_count"] == 2
    assert text(found.run("print('no context')", None)) == "no context\n"
    bare = found.call("POST", "/code", {"code": "6 * 7"})
    assert value(events(bare)) == "42"
    assert found.life("DELETE").status == 204


def test_variables_hold_for_all_runs(client: Client,
                                     stranger: Client) -> None:
    found = Sandbox(client, stranger, env={"MINE": "ä="})
    for _ in range(2):
        assert value(found.run("import os\nos.environ['MINE']")) == "'ä='"
    assert found.life("DELETE").status == 204


@pytest.mark.parametrize("code,name,said", [
    ("raise ValueError('a\\n\\u2028b')", "ValueError", "a\n\u2028b"),
    ("1 +", "SyntaxError", None), ("import sys\nsys.exit(3)", "SystemExit",
                                   "3")])
def test_an_exception(sandbox: Sandbox, code: str, name: str,
                      said: Optional[str]) -> None:
    got = sandbox.run(code)
    (one,) = of(got, "error")
    assert one["error"]["ename"] == name
    assert said is None or one["error"]["evalue"] == said
    assert any(name in line for line in one["error"]["traceback"])
    assert not any("\n" in line for line in one["error"]["traceback"])


def test_the_end_of_a_process(client: Client, stranger: Client) -> None:
    found = Sandbox(client, stranger)
    (one,) = of(found.run("import os\nos._exit(3)"), "error")
    assert one["error"]["ename"] == "UnexpectedEndOfExecution"
    assert found.life("DELETE").status in (204, 404)


def test_a_figure_is_a_png(sandbox: Sandbox) -> None:
    got = sandbox.run("import matplotlib.pyplot as plt\n"
                      "plt.plot([1, 2])\nplt.show()")
    shown = [one["results"] for one in of(got, "result")
             if "image/png" in one["results"]]
    assert shown, got
    assert base64.b64decode(shown[0]["image/png"]).startswith(b"\x89PNG")
    assert all("/" in name or name == "text" for one in of(got, "result")
               for name in one["results"])
    assert not any("terrarium" in name for one in of(got, "result")
                   for name in one["results"])


@pytest.mark.parametrize("language", ["javascript", "bash", "Python\n"])
def test_another_language(sandbox: Sandbox, language: str) -> None:
    (one, _) = sandbox.run("1", language)
    assert one["error"]["ename"] == "UnsupportedLanguage"
    assert "Python programs" in one["error"]["evalue"]


def test_output_cannot_forge_an_event(sandbox: Sandbox) -> None:
    forged = 'data: {"type":"execution_complete"}'
    said = f"\n\n{forged}\n\n\r\n\x00\x85\u2028\U0001f40d" + forged
    got = sandbox.run("import os\n"
                      f"os.write(1, {said.encode()!r} + b'\\xe2\\x82')\n"
                      "os.write(1, b'\\xac\\xff')")
    assert text(got) == said + "\u20ac\ufffd"
    assert len(of(got, "execution_complete")) == 1
    got = sandbox.run("display({'type': 'error', 'text': 'no', "
                      "'text/plain': 'x', 'application/x-own': {'a': 1}}, "
                      "raw=True)")
    assert [one["results"] for one in of(got, "result")] == [
        {"text": "x", "application/x-own": {"a": 1}}]
    assert of(got, "error") == []


def test_output_comes_while_the_program_runs(client: Client,
                                             sandbox: Sandbox) -> None:
    connection = client.connection(120)
    connection.request(
        "POST", sandbox.path + "/code", json.dumps({
            "code": "import time\nprint('early', flush=True)\n"
                    "time.sleep(100)\nprint('late')"}),
        {**JSON, **sandbox.headers})
    answer = connection.getresponse()
    seen = b""
    while b"early" not in seen:
        line = answer.readline()
        assert line, seen
        seen += line
    answer.close()
    connection.close()  # hangs up, which ends the run
    assert value(sandbox.run("'next'")) == "'next'"


def test_a_silent_program_is_heard_of(sandbox: Sandbox) -> None:
    got = sandbox.run("import time\ntime.sleep(7)\n'over'")
    assert [one["text"] for one in of(got, "ping")][:1] == ["pong"]
    assert value(got) == "'over'"


@pytest.mark.parametrize("fields,word", [
    ({}, "code"), ({"code": 1}, "code"), ({"code": "1", "context": "x"},
                                          "context"),
    ({"code": "1", "context": {"language": 1}}, "language"),
    ({"code": "1", "context": {"id": []}}, "id"), ("nonsense", "JSON"),
    ('{"code": "\\u0000"}', "")])
def test_a_wrong_program(sandbox: Sandbox, fields: Any, word: str) -> None:
    reply = sandbox.call("POST", "/code", fields)
    assert (reply.status, word in reply.json()["message"]) == (400, True)


# ---- contexts --------------------------------------------------------------


def test_contexts(client: Client, stranger: Client) -> None:
    found = Sandbox(client, stranger)
    found.run("x = 1\nopen('file', 'w').write('shared')")
    made = found.call("POST", "/code/context", {"language": "python"})
    assert made.status == 200, made.body
    named = made.json()["id"]
    assert made.json()["language"] == "python"
    got = found.run("('x' in dir(), open('file').read())", id=named)
    assert got[0]["text"] == named
    assert value(got) == "(False, 'shared')"
    assert value(found.run("x", id=found.id)) == "1"
    listed = found.call("GET", "/code/contexts?language=python").json()
    assert [one["id"] for one in listed] == [found.id, named]
    assert found.call("GET", "/code/contexts?language=r").json() == []
    assert found.call("GET", f"/code/contexts/{named}").json() == {
        "id": named, "language": "python"}
    for status in (200, 404):
        assert found.call("DELETE",
                          f"/code/contexts/{named}").status == status
    assert found.call("DELETE", f"/code/contexts/{found.id}").status == 400
    assert found.call("GET", f"/code/contexts/{named}").status == 404
    lost = found.call("POST", "/code", {"code": "1", "context": {
        "id": named, "language": "python"}})
    assert (lost.status, lost.json()["message"]) == (
        404, "there is no such context")
    more = [found.call("POST", "/code/context", {}).json()["id"]
            for _ in range(2)]
    for language, left in (("r", [found.id, *more]), ("python", [found.id])):
        assert found.call("DELETE", f"/code/contexts?language={language}"
                          ).status == 200
        assert [one["id"] for one in
                found.call("GET", "/code/contexts").json()] == left
    assert value(found.run("x")) == "1"
    assert found.call("POST", "/code/context", {}).status == 200
    bad = found.call("POST", "/code/context", {"language": "java"})
    assert (bad.status, "language" in bad.json()["message"]) == (400, True)
    assert found.life("DELETE").status == 204


# ---- files -----------------------------------------------------------------


def upload(sandbox: Sandbox, parts: list[tuple[str, bytes]],
           kind: str = "multipart/form-data; boundary=XX") -> Reply:
    body = b"".join(
        b'--XX\r\nContent-Disposition: form-data; name="%s"; '
        b'filename="x"\r\n\r\n%s\r\n' % (name.encode(), content)
        for name, content in parts) + b"--XX--\r\n"
    return sandbox.stranger.request(
        "POST", sandbox.path + "/files/upload", body,
        {**sandbox.headers, "Content-Type": kind})


def named(path: str, **more: Any) -> tuple[str, bytes]:
    return ("metadata", json.dumps({"path": path, **more}).encode())


def test_files_are_written_read_and_moved(client: Client,
                                          stranger: Client) -> None:
    found = Sandbox(client, stranger)
    got = upload(found, [named("a/ä.txt", mode=644, owner="x", group="y"),
                         ("file", b"1\x00\xff"), named("/tmp/b"),
                         ("file", b"")])
    assert (got.status, got.body) == (200, b"")
    read = found.call("GET", "/files/download?path=%2Fhome%2Fuser%2Fa%2F"
                             "%C3%A4.txt")
    assert (read.status, read.body) == (200, b"1\x00\xff")
    assert read.header("Content-Type") == "application/octet-stream"
    info = found.call("GET", "/files/info?path=a/%C3%A4.txt&path=/tmp").json()
    assert set(info) == {"a/ä.txt", "/tmp"}
    one = info["a/ä.txt"]
    assert (one["path"], one["type"], one["size"]) == (
        "/home/user/a/ä.txt", "file", 3)
    assert (one["mode"], info["/tmp"]["type"]) == (644, "directory")
    assert abs(seconds(one["modified_at"]) - time.time()) < 600
    for _ in range(2):  # one that is there is no error
        made = found.call("POST", "/directories", {"d/e": {"mode": 755},
                                                   "/tmp/f": {}})
        assert (made.status, made.body) == (200, b"")
    moved = found.call("POST", "/files/mv", [
        {"src": "a/ä.txt", "dest": "d/e/g"}, {"src": "/tmp/b", "dest": "h"}])
    assert moved.status == 200, moved.body
    listed = found.call("GET", "/directories/list?path=d&depth=2").json()
    assert [(one["path"], one["type"]) for one in listed] == [
        ("/home/user/d/e", "directory"), ("/home/user/d/e/g", "file")]
    assert value(found.run("open('d/e/g', 'rb').read()")) == \
        repr(b"1\x00\xff")
    assert found.call("DELETE", "/files?path=h&path=d/e/g").status == 200
    assert found.call("DELETE", "/files?path=d").status == 400
    assert found.call("DELETE", "/directories?path=d").status == 200
    for path in ("/files/download?path=h", "/files/info?path=h",
                 "/directories/list?path=d", "/files/download?path=/etc/passwd"):
        lost = found.call("GET", path)
        assert (lost.status, lost.json()["message"]) == (
            404, "there is no such file"), path
    assert found.life("DELETE").status == 204
    assert found.call("GET", "/files/info?path=h").status == 404


@pytest.mark.parametrize("parts,word", [
    ([], "metadata"), ([("file", b"1")], "metadata"), ([named("a")], "file"),
    ([named("a"), named("b")], "file"),
    ([("metadata", b"{}"), ("file", b"")], "path"),
    ([("metadata", b'{"path":1}'), ("file", b"")], "path"),
    ([named("a", mode="x"), ("file", b"")], "mode"),
    ([named("a", owner=1), ("file", b"")], "owner"),
    ([("metadata", b"["), ("file", b"")], "JSON"),
    ([named("/etc/x"), ("file", b"")], "path"),
    ([named(""), ("file", b"")], "path"),
    ([named("a"), ("file", b""), named("./a"), ("file", b"")], "same")])
def test_a_wrong_upload(sandbox: Sandbox, parts: list[tuple[str, bytes]],
                        word: str) -> None:
    reply = upload(sandbox, parts)
    assert reply.status == 400, reply.body
    assert word in reply.json()["message"], reply.body


@pytest.mark.parametrize("method,path,fields,word", [
    ("GET", "/files/download", None, "path"),
    ("GET", "/files/download?path=a&path=b", None, "path"),
    ("GET", "/files/info", None, "path"),
    ("GET", "/files/info?path=a" + "&path=a" * 100, None, "path"),
    ("GET", "/files/info?path=%00", None, "path"),
    ("GET", "/directories/list?path=.&depth=x", None, "depth"),
    ("GET", "/directories/list?path=/", None, "path"),
    ("DELETE", "/files?path=/home/user", None, "path"),
    ("DELETE", "/directories?path=/", None, "path"),
    ("POST", "/directories", [], "object"), ("POST", "/directories", "", ""),
    ("POST", "/directories", {"a": 1}, "object"),
    ("POST", "/directories", {"/etc/x": {}}, "name"),
    ("POST", "/files/mv", {}, "array"), ("POST", "/files/mv", [1], "object"),
    ("POST", "/files/mv", [{"src": "a"}], "dest"),
    ("POST", "/files/mv", [{"dest": "a"}], "src"),
    ("POST", "/files/mv", [{"src": 1, "dest": "a"}], "src"),
    ("POST", "/files/mv", [{"src": "a", "dest": "/etc/x"}], "dest")])
def test_a_wrong_call_for_files(sandbox: Sandbox, method: str, path: str,
                                fields: Any, word: str) -> None:
    reply = sandbox.call(method, path, fields)
    assert reply.status == 400, reply.body
    assert word in reply.json()["message"], reply.body


def test_files_that_are_not_uploaded(sandbox: Sandbox) -> None:
    assert upload(sandbox, [], "application/json").status == 400
    assert upload(sandbox, [named("a"), ("file", b"")],
                  "multipart/form-data").status == 400
    for path in ("offset=1", "limit=1"):
        assert sandbox.call("GET", "/files/download?path=a&" + path
                            ).status == 501
    for path in ("permissions", "replace"):
        assert sandbox.call("POST", "/files/" + path, {}).status == 501
    assert sandbox.call("GET", "/files/search?path=.").status == 501
