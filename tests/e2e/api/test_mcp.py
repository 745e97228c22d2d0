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


def post(client: Client, body: Any, **headers: str) -> Reply:
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = client.request("POST", "/mcp", text, {**JSON, **sent})
    if reply.status == 202:
        assert reply.body == b""
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
    assert got["capabilities"] == {"tools": {}}
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
    for word in ("/home/user", "no network", "MB of memory", "Installed"):
        assert word in told
    limits = client.request("GET", "/", headers={
        "Accept": "application/json"}).json()["limits"]
    assert f"{limits['memory_mb']} MB" in told
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
    if first["isError"]:
        pytest.skip("sessions are switched off on this server: " +
                    text(first))
    got = call(client, "x + 1", session="mcp-1")
    assert got["structuredContent"]["final_expression"] == 42
    assert got["structuredContent"]["session"]["state"] == "kept"
    assert call(client, "x")["isError"] is True


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
    ("resources/list", {}, -32601), ("Ping", {}, -32601),
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
    assert got["capabilities"] == {"tools": {}}
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
    assert found and found["doors"]["mcp"] == ["POST /mcp"]
