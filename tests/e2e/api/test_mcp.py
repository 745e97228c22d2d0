"""The door of the Model Context Protocol: both eras of it at POST /mcp."""

from __future__ import annotations

import base64
import json
from typing import Any, Optional

import pytest
from client import JSON, Client, Reply, entries

LEGACY = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
ENVELOPE = {PREFIX + "protocolVersion": MODERN,
            PREFIX + "clientCapabilities": {}}
NAMES = {"tools/call": "run_python"}
CAPABILITIES = {"tools": {}, "resources": {}}  # the latter with sessions


def post(client: Client, body: Any, **headers: str) -> Reply:
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = client.request("POST", "/mcp", text, {**JSON, **sent})
    if reply.status == 202:
        assert reply.body == b""
    elif reply.header("Content-Type") == "text/event-stream":
        assert reply.status == 200
    else:
        assert reply.header("Content-Type") == "application/json"
        assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    return reply


def message(method: str, id: Any = 1, **params: Any) -> dict[str, Any]:
    out = {"jsonrpc": "2.0", "id": id, "method": method}
    return {**out, "params": params} if params else out


def legacy(client: Client, method: str, **params: Any) -> Any:
    reply = post(client, message(method, **params))
    assert reply.status == 200, reply.body
    got = reply.json()
    assert (got["jsonrpc"], got["id"]) == ("2.0", 1)
    return got.get("result", got.get("error"))


def modern(client: Client, method: str, **params: Any) -> Reply:
    meta = params.pop("_meta", ENVELOPE)
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method,
               **params.pop("headers", {})}
    if method in NAMES:
        headers.setdefault("Mcp_Name", NAMES[method])
    return post(client, message(method, **params, _meta=meta),
                **{name: value for name, value in headers.items() if value})


def call(client: Client, code: str, **arguments: Any) -> dict[str, Any]:
    return legacy(client, "tools/call", name="run_python",
                  arguments={"code": code, **arguments})


def text(result: dict[str, Any]) -> str:
    assert result["content"][0]["type"] == "text"
    return result["content"][0]["text"]


def error(reply: Reply) -> tuple[int, int]:
    got = reply.json()
    assert set(got) == {"jsonrpc", "id", "error"}
    return reply.status, got["error"]["code"]


# -- the first era


@pytest.mark.parametrize("asked", [*LEGACY, "2024-11-05", MODERN, "x"])
def test_initialize(client: Client, asked: str) -> None:
    got = legacy(client, "initialize", protocolVersion=asked,
                 capabilities={}, clientInfo={"name": "t", "version": "1"})
    assert got["protocolVersion"] == (asked if asked in LEGACY else LEGACY[-1])
    assert got["capabilities"] == CAPABILITIES
    assert set(got["serverInfo"]) == {"name", "title", "version"}
    assert "resultType" not in got and "Python" in got["instructions"]


def test_ping_and_notifications(client: Client) -> None:
    assert legacy(client, "ping") == {}
    for method in ("notifications/initialized", "notifications/cancelled",
                   "notifications/nothing"):
        assert post(client, {"jsonrpc": "2.0", "method": method}).status == 202
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert post(client, answer).status == 202


def test_the_tool_tells_a_model_what_it_needs(client: Client) -> None:
    tools = legacy(client, "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["run_python"]
    tool = tools[0]
    assert tool["inputSchema"]["required"] == ["code"]
    assert tool["inputSchema"]["type"] == "object"
    assert tool["outputSchema"]["type"] == "object"
    told = tool["description"]
    assert "\n" not in told
    for word in ("/home/user (also called /mnt/data, /workspace", "/tmp",
                 "no network", "no package can be installed", "shell",
                 "Installed", "session"):
        assert word in told, told
    limits = client.request("GET", "/", headers={
        "Accept": "application/json"}).json()["limits"]
    for limit in (f"{limits['timeout_ms'] / 1000} s",
                  "{memory_mb} MB of memory", "{home_mb} MB of files",
                  "{threads} threads", "{output_kb} KB of output",
                  "{value_kb} KB of the value", "{displays} figures",
                  "at most {files_in})", "{files_out} files, "
                  "{files_out_mb} MB"):
        assert limit.format(**limits) in told, told
    assert tool["inputSchema"]["properties"]["timeout_ms"]["maximum"] == \
        limits["timeout_ms"]


def test_call(client: Client) -> None:
    got = call(client, "import sys\nprint('out')\n"
               "print('err', file=sys.stderr)\n[1, 'x']")
    assert got["isError"] is False
    assert text(got) == "out\n[standard error]\nerr\n[1, \"x\"]" or \
        text(got) == "out\n[standard error]\nerr\n[1,\"x\"]"
    facts = got["structuredContent"]
    assert facts["success"] is True and facts["final_expression"] == [1, "x"]
    assert (facts["std_out"], facts["std_err"]) == ("out\n", "err\n")
    assert facts["exit_code"] == 0 and facts["output_files"] == []
    required = legacy(client, "tools/list")["tools"][0]["outputSchema"]
    assert set(required["required"]) <= set(facts)
    assert set(facts) <= set(required["properties"])
    assert text(call(client, "'a text'")) == "a text"
    assert "no output" in text(call(client, "x = 1"))


def test_an_error_of_the_program(client: Client) -> None:
    got = call(client, "print('before')\n1 / 0")
    assert got["isError"] is True
    assert text(got).startswith("before\n") and \
        "ZeroDivisionError" in text(got)
    facts = got["structuredContent"]
    assert facts["success"] is False
    assert facts["error"]["type"] == "ZeroDivisionError"
    got = call(client, "while True: pass", timeout_ms=300)
    assert got["isError"] is True
    assert got["structuredContent"]["error"]["type"] == "timeout"


def test_files_go_in_and_come_out(client: Client) -> None:
    got = call(client, "t = open('in.txt').read()\n"
               "open('a b.csv', 'w').write(t * 2)\n"
               "open(b'\\xff\"\\n.bin', 'wb').write(b'\\0\\1')",
               files=entries({"in.txt": "x,y\n"}))
    assert got["isError"] is False
    found = {part["resource"]["uri"]: part["resource"]
             for part in got["content"] if part["type"] == "resource"}
    assert set(found) == {"file:///home/user/a%20b.csv",
                          "file:///home/user/%FF%22%0A.bin"}
    table = found["file:///home/user/a%20b.csv"]
    assert table["mimeType"] == "text/csv"
    assert base64.b64decode(table["blob"]) == b"x,y\nx,y\n"
    listed = got["structuredContent"]["output_files"]
    assert {one["uri"]: one["size"] for one in listed} == {
        "file:///home/user/a%20b.csv": 8,
        "file:///home/user/%FF%22%0A.bin": 2}


PICTURE = """
class Shown:
    def _repr_png_(self): return %s
    def __repr__(self): return 'a picture'
display(Shown())
"""


def test_an_image(client: Client) -> None:
    got = call(client, PICTURE % r"b'\x89PNG\r\n\x1a\n' + bytes(5)")
    images = [part for part in got["content"] if part["type"] == "image"]
    assert [image["mimeType"] for image in images] == ["image/png"]
    assert base64.b64decode(images[0]["data"], validate=True) == \
        b"\x89PNG\r\n\x1a\n" + bytes(5)


@pytest.mark.parametrize("arguments, words", [
    ({}, "code"), ({"code": ""}, "code"), ({"code": 1}, "code must be"),
    ({"code": "1", "files": {}}, "files must be"),
    ({"code": "1", "files": [{"filename": "../x", "b64_data": ""}]}, ".."),
    ({"code": "1", "timeout_ms": 10**9}, "timeout_ms must be"),
    ({"code": "1", "session": 5}, "session must be"),
])
def test_a_model_can_mend_its_arguments(client: Client, arguments: Any,
                                        words: str) -> None:
    got = legacy(client, "tools/call", name="run_python", arguments=arguments)
    assert got["isError"] is True and words in text(got)
    assert "structuredContent" not in got


def test_an_unknown_argument_is_named(client: Client) -> None:
    got = call(client, "1", sesion="a")
    assert got["isError"] is False and "sesion" in text(got)
    assert "sesion" in got["structuredContent"]["warnings"][0]


def test_hostile_output_stays_one_line_of_json(client: Client) -> None:
    got = call(client, "import sys\nsys.stdout.buffer.write("
               "bytes(range(256)) + '\u2028'.encode())\n'\\ud800\\0'")
    assert "\u2028" in text(got) and got["isError"] is False
    # An object that claims to be a picture and is none is no image.
    got = call(client, "class A:\n  def _repr_mimebundle_(self, **_): return "
               "{'image/png': '\"}]<>', 'text/plain': 'plain'}\n"
               "display(A())")
    assert not [part for part in got["content"] if part["type"] == "image"]
    assert {"type": "text", "text": "plain"} in got["content"]


def test_a_session_keeps_variables(client: Client) -> None:
    first = call(client, "x = 41", session="mcp-1")
    assert first["isError"] is False, first
    got = call(client, "x + 1", session="mcp-1")
    assert got["structuredContent"]["final_expression"] == 42
    assert got["structuredContent"]["session"]["state"] == "kept"
    assert call(client, "x")["isError"] is True


# -- files of sessions, as resources


WRITE = """
import pathlib
pathlib.Path('a b').mkdir(exist_ok=True)
open('a b/table.csv', 'w').write('x,y')
open(b'\\xff+%.bin', 'wb').write(b'\\0\\1')
"""
TABLE = "file:///home/user/a%20b/table.csv?session=files%20%2F%3F1"
ODD = "file:///home/user/%FF%2B%25.bin?session=files%20%2F%3F1"


def write(client: Client, **headers: str) -> list[Any]:
    """Content about files of a call that writes them in a session."""
    got = post(client, message("tools/call", name="run_python", arguments={
        "code": WRITE, "session": "files /?1"}), **headers).json()["result"]
    assert got["isError"] is False, got
    files = got["structuredContent"]["output_files"]
    assert sorted(one["uri"] for one in files) == sorted([TABLE, ODD])
    return [part for part in got["content"] if part["type"] != "text"]


def resource(client: Client, uri: Any) -> Any:
    return legacy(client, "resources/read", uri=uri)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_files_of_a_session_are_links_that_can_be_read(
        client: Client, version: str) -> None:
    links = {part["uri"]: part
             for part in write(client, MCP_Protocol_Version=version)}
    assert links == {
        TABLE: {"type": "resource_link", "name": "a b/table.csv", "size": 3,
                "uri": TABLE, "mimeType": "text/csv"},
        ODD: {"type": "resource_link", "name": "\ufffd+%.bin", "size": 2,
              "uri": ODD, "mimeType": "application/octet-stream"}}
    assert resource(client, TABLE) == {"contents": [
        {"uri": TABLE, "mimeType": "text/csv", "text": "x,y"}]}
    assert resource(client, ODD) == {"contents": [
        {"uri": ODD, "mimeType": "application/octet-stream", "blob": "AAE="}]}
    same = resource(client, ODD.replace("%2B", "+"))  # as in no query
    assert same["contents"][0]["blob"] == "AAE="
    assert call(client, "open('a b/table.csv', 'wb').write(b'\\xff')",
                session="files /?1")["isError"] is False
    assert resource(client, TABLE)["contents"][0]["blob"] == "/w=="


@pytest.mark.parametrize("headers", [
    {}, {"MCP_Protocol_Version": "2025-03-26"}])
def test_clients_that_know_no_links_get_contents(client: Client,
                                                 headers: Any) -> None:
    found = {part["resource"]["uri"]: part["resource"]
             for part in write(client, **headers)}
    assert found[TABLE]["blob"] == "eCx5" and found[ODD]["blob"] == "AAE="


def test_modern_links(client: Client) -> None:
    got = modern(client, "tools/call", name="run_python", arguments={
        "code": WRITE, "session": "files /?1"}).json()["result"]
    assert {part["type"] for part in got["content"]} == \
        {"text", "resource_link"}
    reply = modern(client, "resources/read", uri=TABLE,
                   headers={"Mcp_Name": TABLE})
    assert reply.json()["result"] == {
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
        "contents": [{"uri": TABLE, "mimeType": "text/csv", "text": "x,y"}]}
    for name in ("", "file:///home/user/other"):
        assert error(modern(client, "resources/read", uri=TABLE,
                            headers={"Mcp_Name": name})) == (400, -32020)
    for method, member in (("resources/list", "resources"),
                           ("resources/templates/list",
                            "resourceTemplates")):
        got = modern(client, method).json()["result"]
        assert got["resultType"] == "complete" and got["ttlMs"] >= 0
        assert got["cacheScope"] == "private"
        assert got[member] == legacy(client, method)[member]


def test_lists_of_resources(client: Client) -> None:
    assert legacy(client, "resources/list") == {"resources": []}
    templates = legacy(client, "resources/templates/list")
    assert [one["uriTemplate"] for one in templates["resourceTemplates"]] == \
        ["file:///home/user/{+path}{?session}"]
    for method in ("resources/list", "resources/templates/list"):
        assert legacy(client, method, cursor="x")["code"] == -32602


@pytest.mark.parametrize("uri", [
    "file:///home/user/a%20b/none?session=files%20%2F%3F1",
    "file:///home/user/a%20b?session=files%20%2F%3F1",
    "file:///home/user/a%20b/table.csv", TABLE + "&session=b",
    "file:///home/user/?session=files%20%2F%3F1",
    "file:///home/user/..%2F..%2Fetc%2Fpasswd?session=files%20%2F%3F1",
    "file:///home/user/../../etc/passwd?session=files%20%2F%3F1",
    "file:///home/user//etc/passwd?session=files%20%2F%3F1",
    "file:///home/user/a%00b?session=files%20%2F%3F1",
    "file:///home/user/a?session=", "file:///home/user/a?session=%00",
    "file:///home/user/a?session=" + "x" * 200,
    "file:///home/user/a?session=never-begun", "file:///etc/passwd",
    "test://x", "", "\ud7ff",
])
def test_resources_that_are_not_there(client: Client, uri: str) -> None:
    write(client)
    got = resource(client, uri)
    assert got["code"] == -32002 and got["data"] == {"uri": uri}
    reply = modern(client, "resources/read", uri=uri,
                   headers={"Mcp_Name": "=?base64?" + base64.b64encode(
                       uri.encode()).decode() + "?="})
    assert error(reply) == (200, -32602)
    assert reply.json()["error"]["data"] == {"uri": uri}
    got = call(client, "1", session="never-begun")
    assert got["structuredContent"]["session"]["state"] in ("new", "kept")


def test_a_link_of_a_program_leads_nowhere(client: Client) -> None:
    call(client, "import os\nos.symlink('/etc/passwd', 'link')",
         session="links")
    got = resource(client, "file:///home/user/link?session=links")
    assert got["code"] == -32002


def test_an_address_that_is_no_text(client: Client) -> None:
    for uri in (1, None, [], {}):
        assert resource(client, uri)["code"] == -32602
    assert legacy(client, "resources/read")["code"] == -32602
    got = post(client, [message("resources/read", uri=TABLE)])
    assert got.json()[0]["error"]["code"] == -32600


# -- progress


STEPS = """
import sys
from time import sleep
print('one', flush=True)
sleep(0.2)
print('t\u00e9', file=sys.stderr, flush=True)
sleep(0.2)
open('f.txt', 'w').write('x')
print('three')
6 * 7
"""


def events(reply: Reply) -> list[Any]:
    """The messages of a stream: each is the data of one event."""
    assert reply.header("Content-Type") == "text/event-stream"
    found = []
    for event in reply.body.decode("ascii").split("\n\n")[:-1]:
        assert event.startswith("data: ") and "\n" not in event
        found.append(json.loads(event[6:]))
    return found


def stream(client: Client, code: str, token: Any, **arguments: Any) -> Any:
    """The result of a call, and what was said during it."""
    reply = post(client, message(
        "tools/call", name="run_python",
        arguments={"code": code, **arguments},
        _meta={"progressToken": token}),
        Accept="application/json, text/event-stream")
    *progress, last = events(reply)
    for number, one in enumerate(progress, 1):
        assert (one["jsonrpc"], one["method"]) == \
            ("2.0", "notifications/progress") and "id" not in one
        assert one["params"]["progressToken"] == token
        assert one["params"]["progress"] == number
    assert last["id"] == 1
    return last, [one["params"].get("message", "") for one in progress]


@pytest.mark.parametrize("where", [{}, {"session": "progress"}])
@pytest.mark.parametrize("token", ["a\n\u00e9", 7])
def test_progress_is_the_output(client: Client, token: Any,
                                where: Any) -> None:
    last, said = stream(client, STEPS, token, **where)
    assert "".join(said) == "one\nt\u00e9\nthree\n" and len(said) >= 2
    got = last["result"]
    assert got["isError"] is False
    assert text(got) == "one\nthree\n[standard error]\nt\u00e9\n42"
    assert got["structuredContent"]["std_out"] == "one\nthree\n"
    assert [part["resource"]["blob"] for part in got["content"]
            if part["type"] == "resource"] == ["eA=="]


def test_a_stream_ends_with_images_too(client: Client) -> None:
    for where in ({}, {"session": "progress"}):
        last, _ = stream(client, PICTURE % r"b'\x89PNG' + bytes(5)", 1,
                         **where)
        assert [part["mimeType"] for part in last["result"]["content"]
                if part["type"] == "image"] == ["image/png"]


def test_progress_of_a_program_that_fails(client: Client) -> None:
    last, said = stream(client, "print('a')\n1 / 0", 1)
    assert said == ["a\n"] and last["result"]["isError"] is True
    assert text(last["result"]).startswith("a\nTraceback")
    last, said = stream(client, "import os\nprint('a' * 3000000)", 1)
    kept = last["result"]["structuredContent"]["std_out"]
    assert "".join(said) == kept and len(kept) == 1 << 20


def test_modern_progress(client: Client) -> None:
    reply = modern(client, "tools/call", name="run_python",
                   arguments={"code": "print('a')"},
                   _meta={**ENVELOPE, "progressToken": "p"},
                   headers={"Accept": "application/json, text/event-stream"})
    said, last = events(reply)
    assert said["params"]["message"] == "a\n"
    assert last["result"]["resultType"] == "complete"


def test_a_silent_program_makes_progress(client: Client) -> None:
    """So that a host goes on to wait."""
    last, said = stream(client, "import time\ntime.sleep(5.5)\n1", 1)
    assert said and set(said) == {""} and text(last["result"]) == "1"


def test_answers_without_a_stream(client: Client) -> None:
    """Without a token, without the header, and where nothing is run."""
    both = "application/json, text/event-stream"
    for meta, accept in (({}, both), ({"progressToken": None}, both),
                         ({"progressToken": 1}, "application/json"),
                         ({"progressToken": 1}, "text/event-stream;q=0")):
        reply = post(client, message(
            "tools/call", name="run_python", arguments={"code": "6 * 7"},
            _meta=meta), Accept=accept)
        assert reply.header("Content-Type") == "application/json"
        assert text(reply.json()["result"]) == "42"
    for name, code in (("run_python", None), ("nope", -32602)):
        reply = post(client, message("tools/call", name=name, arguments={},
                                     _meta={"progressToken": 1}), Accept=both)
        assert reply.json().get("error", {}).get("code") == code
    batch = [message("tools/call", name="run_python",
                     arguments={"code": "6 * 7"},
                     _meta={"progressToken": 1})]
    assert text(post(client, batch, Accept=both).json()[0]["result"]) == "42"


@pytest.mark.parametrize("token", [[], {}, True, "x" * 1100])
def test_tokens_of_progress_that_are_refused(client: Client,
                                             token: Any) -> None:
    reply = post(client, message("tools/call", name="run_python",
                                 arguments={"code": "1"},
                                 _meta={"progressToken": token}))
    assert error(reply) == (200, -32602)
    assert "progressToken" in reply.json()["error"]["message"]


# -- what is no valid message


@pytest.mark.parametrize("id", ["", "é\n", 0, -1, 10**1000, 1.5, "x" * 900])
def test_ids_come_back_as_they_were(client: Client, id: Any) -> None:
    got = post(client, message("ping", id)).json()
    assert got["id"] == id and got["result"] == {}


@pytest.mark.parametrize("id", [None, [], {}, True, "x" * 1100])
def test_ids_that_are_refused(client: Client, id: Any) -> None:
    reply = post(client, message("ping", id))
    assert error(reply) == (400, -32600) and reply.json()["id"] is None


@pytest.mark.parametrize("body, code", [
    ("", -32700), ("{", -32700), (b"\xff", -32700), ("{} {}", -32700),
    ('{"jsonrpc":"2.0","id":1,"method":"ping\\u0000"}', -32700),
    ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600),
    ("[" * 300 + "]" * 300, -32600), ("1", -32600), ("null", -32600),
    ("{}", -32600), ('"ping"', -32600), ("[]", -32600),
    ('{"id":1,"method":"ping"}', -32600),
    ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    ('{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600),
    ('{"jsonrpc":"2.0","id":1}', -32600),
    ('{"jsonrpc":"2.0","id":1,"method":5}', -32600),
])
def test_bodies_that_are_no_message(client: Client, body: Any,
                                    code: int) -> None:
    assert error(post(client, body)) == (400, code)


@pytest.mark.parametrize("method, params, code", [
    ("nope", {}, -32601), ("server/discover", {}, -32601),
    ("resources/subscribe", {}, -32601), ("Ping", {}, -32601),
    ("initialize", {}, -32602), ("initialize", {"protocolVersion": 1}, -32602),
    ("tools/call", {}, -32602), ("tools/call", {"name": 1}, -32602),
    ("tools/call", {"name": "nope", "arguments": {}}, -32602),
    ("tools/call", {"name": "run_python", "arguments": []}, -32602),
    ("tools/list", {"cursor": "x"}, -32602), ("ping", [1], -32602),
])
def test_errors_of_requests(client: Client, method: str, params: Any,
                            code: int) -> None:
    reply = post(client, {"jsonrpc": "2.0", "id": "a", "method": method,
                          "params": params})
    assert error(reply) == (200, code) and reply.json()["id"] == "a"


# -- HTTP


def test_versions_in_the_header(client: Client) -> None:
    for version in LEGACY:
        assert post(client, message("ping"),
                    MCP_Protocol_Version=version).status == 200
    for version in ("2024-10-07", "x", "2025-06-18, 2025-06-18"):
        reply = post(client, message("ping"), MCP_Protocol_Version=version)
        assert error(reply) == (400, -32022)
        data = reply.json()["error"]["data"]
        assert data == {"supported": [MODERN, *reversed(LEGACY)],
                        "requested": version}


def test_methods_and_tokens(client: Client, stranger: Client) -> None:
    for method in ("GET", "DELETE", "PUT"):
        reply = client.request(method, "/mcp")
        assert reply.status == 405 and reply.header("Allow") == "POST"
    reply = client.request("GET", "/mcp", headers={
        "Accept": "text/event-stream"})
    assert reply.status == 405
    assert reply.json()["error"]["code"] == -32000
    reply = post(stranger, message("ping"))
    assert reply.status == 401
    assert reply.header("WWW-Authenticate") == "Bearer"
    assert reply.json()["error"]["code"] == -32000
    for name in ("oauth-protected-resource", "oauth-authorization-server",
                 "oauth-protected-resource/mcp", "openid-configuration"):
        reply = stranger.request("GET", f"/.well-known/{name}")
        assert reply.status == 404 and reply.json()


def test_pages_of_an_origin_that_is_not_allowed(client: Client) -> None:
    for origin in ("https://evil.example", "null", client.host,
                   "https://a|b", "|"):
        reply = post(client, message("ping"), Origin=origin)
        assert error(reply) == (403, -32000)
    # Elsewhere nothing changes.
    reply = client.request("POST", "/", '{"code":"1"}',
                           {**JSON, "Origin": "https://evil.example"})
    assert reply.status == 200


# -- batches


def test_a_batch(client: Client) -> None:
    batch = [message("tools/call", 1, name="run_python",
                     arguments={"code": "40 + 2"}),
             {"jsonrpc": "2.0", "method": "notifications/initialized"},
             message("ping", "p"), 5, message("nope", 3),
             message("tools/call", 4, name="run_python",
                     arguments={"code": "1"}),
             message("initialize", 5, protocolVersion="2025-03-26")]
    for headers in ({}, {"MCP_Protocol_Version": "2025-03-26"}):
        reply = post(client, batch, **headers)
        assert reply.status == 200
        got = {one["id"]: one for one in reply.json()}
        assert len(reply.json()) == 6
        assert got[1]["result"]["structuredContent"]["final_expression"] == 42
        assert got["p"]["result"] == {}
        assert got[None]["error"]["code"] == -32600
        assert got[3]["error"]["code"] == -32601
        assert got[4]["error"]["code"] == -32000
        assert got[5]["error"]["code"] == -32600


def test_other_batches(client: Client) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert post(client, [note, note]).status == 202
    assert error(post(client, [message("ping")] * 101)) == (400, -32600)
    assert len(post(client, [message("ping")] * 100).json()) == 100
    for version in ("2025-06-18", "2025-11-25", MODERN):
        reply = post(client, [message("ping")], MCP_Protocol_Version=version)
        assert error(reply) == (400, -32600)
    refused = post(client, [message("tools/call", 1, name="run_python",
                                    arguments={})])
    assert refused.json()[0]["result"]["isError"] is True


# -- the second era


def test_discover(client: Client) -> None:
    reply = modern(client, "server/discover")
    assert reply.status == 200
    got = reply.json()["result"]
    assert got["resultType"] == "complete"
    assert got["supportedVersions"] == [MODERN, *reversed(LEGACY)]
    assert got["capabilities"] == CAPABILITIES
    assert got["_meta"][PREFIX + "serverInfo"]["name"] == "terrarium"
    assert got["ttlMs"] >= 0 and got["cacheScope"] == "private"


def test_modern_list_and_call(client: Client) -> None:
    first = modern(client, "tools/list").json()["result"]
    assert first["resultType"] == "complete" and first["ttlMs"] > 0
    assert first["cacheScope"] == "private"
    assert modern(client, "tools/list").json()["result"] == first
    assert first["tools"] == legacy(client, "tools/list")["tools"]
    got = modern(client, "tools/call", name="run_python",
                 arguments={"code": "6 * 7"}).json()["result"]
    assert got["resultType"] == "complete" and got["isError"] is False
    assert got["structuredContent"]["final_expression"] == 42
    got = modern(client, "tools/call", name="run_python",
                 arguments={}).json()["result"]
    assert got["resultType"] == "complete" and got["isError"] is True
    reply = post(client, {"jsonrpc": "2.0", "params": {"_meta": ENVELOPE},
                          "method": "notifications/cancelled"},
                 MCP_Protocol_Version=MODERN)
    assert reply.status == 202


@pytest.mark.parametrize("changed", [
    {"headers": {"MCP_Protocol_Version": ""}},
    {"headers": {"MCP_Protocol_Version": "2025-11-25"}},
    {"headers": {"Mcp_Method": ""}},
    {"headers": {"Mcp_Method": "tools/list"}},
    {"headers": {"Mcp_Method": "Tools/Call"}},
    {"headers": {"Mcp_Name": "other"}},
    {"headers": {"Mcp_Name": "=?base64?b3RoZXI=?="}},
    {"headers": {"Mcp_Name": "=?base64?cnVuX3B5dGhvbg==?"}},
    {"headers": {"Mcp_Name": "=?base64?cnVuX3B5dGhvbg=?="}},
    {"headers": {"Mcp_Name": "=?base64??="}},
    {"headers": {"Mcp_Name": "=?base64?="}},
    {"name": "other"},
])
def test_headers_must_match_the_message(client: Client, changed: Any) -> None:
    params = {"name": "run_python", "arguments": {"code": "1"}, **changed}
    assert error(modern(client, "tools/call", **params)) == (400, -32020)


def test_a_name_in_the_header_may_be_base64(client: Client) -> None:
    """Clients send a name so that is not plain ASCII."""
    reply = modern(client, "tools/call", name="run_python",
                   arguments={"code": "6 * 7"},
                   headers={"Mcp_Name": "=?base64?cnVuX3B5dGhvbg==?="})
    assert reply.json()["result"]["structuredContent"][
        "final_expression"] == 42
    other = modern(client, "tools/call", name="h\u00e9llo", arguments={},
                   headers={"Mcp_Name": "=?base64?aMOpbGxv?="})
    assert error(other) == (200, -32602)  # there is no such tool


def test_a_name_must_be_in_the_header(client: Client) -> None:
    reply = post(client, message("tools/call", name="run_python",
                                 arguments={"code": "1"}, _meta=ENVELOPE),
                 MCP_Protocol_Version=MODERN, Mcp_Method="tools/call")
    assert error(reply) == (400, -32020)


@pytest.mark.parametrize("meta", [
    {}, {PREFIX + "protocolVersion": MODERN},
    {PREFIX + "clientCapabilities": {}},
    {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": 1},
    {PREFIX + "protocolVersion": 1, PREFIX + "clientCapabilities": {}}, [],
])
def test_the_message_must_carry_its_version(client: Client,
                                            meta: Any) -> None:
    assert error(modern(client, "tools/list", _meta=meta)) == (400, -32602)


def test_modern_errors(client: Client) -> None:
    reply = modern(client, "tools/list",
                   headers={"MCP_Protocol_Version": "2099-01-01"},
                   _meta={**ENVELOPE, PREFIX + "protocolVersion":
                          "2099-01-01"})
    assert error(reply) == (400, -32022)
    assert reply.json()["error"]["data"] == {
        "supported": [MODERN, *reversed(LEGACY)], "requested": "2099-01-01"}
    for method in ("nope", "ping", "initialize", "subscriptions/listen"):
        assert error(modern(client, method)) == (404, -32601)
    assert error(modern(client, "tools/call", name="nope",
                        headers={"Mcp_Name": "nope"})) == (200, -32602)


def test_it_is_in_the_list_of_doors(client: Client) -> None:
    found: Optional[Any] = client.request("GET", "/", headers={
        "Accept": "application/json"}).json()
    assert found and found["doors"]["mcp"] == [
        "POST /mcp", "POST /messages", "GET /sse"]
