"""MCP's old transport: GET /sse and POST /messages."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator

import pytest
from client import JSON, Client
from event_streams import EventStream, NoStream

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@pytest.fixture
def stream(client: Client) -> Iterator[EventStream]:
    with EventStream(client) as found:
        yield found


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.05)


def error(client: Client, *args: Any, **kwargs: Any) -> tuple[int, int]:
    reply = client.request(*args, **kwargs)
    got = reply.json()
    assert set(got) == {"jsonrpc", "id", "error"}
    return reply.status, got["error"]["code"]


# -- the stream


def test_the_first_event_is_a_path(stream: EventStream) -> None:
    assert stream.response.getheader("Content-Type") == "text/event-stream"
    assert stream.response.getheader("Cache-Control") == "no-store"
    path, _, name = stream.path.partition("?stream=")
    assert path == "/messages"
    assert len(name) == 32 and not set(name) - set("0123456789abcdef")


def test_two_streams_have_two_ids(client: Client,
                                  stream: EventStream) -> None:
    with EventStream(client) as other:
        assert other.path != stream.path


@pytest.mark.parametrize("asked", [*VERSIONS, "2026-07-28", "x"])
def test_initialize(stream: EventStream, asked: str) -> None:
    got = stream.ask("initialize", protocolVersion=asked, capabilities={},
                     clientInfo={"name": "t", "version": "1"})["result"]
    assert got["protocolVersion"] == (asked if asked in VERSIONS
                                      else VERSIONS[-1])
    assert got["capabilities"] == {"tools": {}}
    assert got["serverInfo"]["name"] == "python"
    for word in ("nothing is kept", "print", "expression", "no internet",
                 " s. ", "Installed"):
        assert word in got["instructions"], got["instructions"]


def test_the_tool(stream: EventStream) -> None:
    (tool,) = stream.ask("tools/list")["result"]["tools"]
    told = tool.pop("description")
    assert "Python" in told
    assert tool == {
        "name": "python",
        "inputSchema": {"type": "object",
                        "properties": {"code": {"type": "string"}},
                        "required": ["code"]},
        "annotations": {"include_in_prompt": False}}


def test_ping_and_notifications(stream: EventStream) -> None:
    for method in ("notifications/initialized", "notifications/cancelled",
                   "notifications/nothing"):
        reply = stream.send({"jsonrpc": "2.0", "method": method})
        assert (reply.status, reply.body) == (202, b"")
    assert stream.send({"jsonrpc": "2.0", "id": 1,
                        "result": {}}).status == 202
    assert stream.ask("ping")["result"] == {}


@pytest.mark.parametrize("method, code", [
    ("nothing", -32601), ("resources/list", -32601),
    ("server/discover", -32601)])
def test_an_unknown_method_is_an_error_on_the_stream(
        stream: EventStream, method: str, code: int) -> None:
    assert stream.ask(method)["error"]["code"] == code


@pytest.mark.parametrize("params", [
    {}, {"name": "run_python"}, {"name": 1},
    {"name": "python", "arguments": []}, {"_meta": 1}])
def test_bad_parameters_are_an_error_on_the_stream(
        stream: EventStream, params: Any) -> None:
    assert stream.ask("tools/call", **params)["error"]["code"] == -32602


def test_a_head_ends_at_once(client: Client) -> None:
    reply = client.request("HEAD", "/sse", timeout=20)
    assert reply.status == 200
    assert reply.header("Content-Type") == "text/event-stream"


# -- the tool's text


@pytest.mark.parametrize("code, text", [
    ("print(1)\n2 + 3", "1\n5"),
    ("'a'", "'a'"),
    ("[1, 'b', None]", "[1, 'b', None]"),
    ("print('x', end='')\n'\u20ac \U0001f600'", "x\n'\u20ac \U0001f600'"),
    ("import sys\nprint('o')\nprint('e', file=sys.stderr)", "o\ne\n"),
])
def test_what_is_printed_and_the_value(stream: EventStream, code: str,
                                       text: str) -> None:
    assert stream.text(code) == text


def test_a_traceback_is_a_text(stream: EventStream) -> None:
    text = stream.text("print('before')\n1 / 0")
    assert text.startswith("before\nTraceback")
    assert "ZeroDivisionError" in text


@pytest.mark.parametrize("code", ["x = 1", "None"])
def test_silence_asks_to_print(stream: EventStream, code: str) -> None:
    assert "print()" in stream.text(code)


@pytest.mark.parametrize("arguments", [{}, {"code": ""}, {"code": 1}])
def test_arguments_that_a_model_can_mend(stream: EventStream,
                                         arguments: Any) -> None:
    result = stream.ask("tools/call", name="python",
                        arguments=arguments)["result"]
    assert result["isError"] is False
    assert "code" in result["content"][0]["text"]


def test_unknown_arguments_are_ignored(stream: EventStream) -> None:
    result = stream.ask("tools/call", name="python",
                        arguments={"code": "1", "session": 5})["result"]
    assert result["content"] == [{"type": "text", "text": "1"}]


def test_a_figure_is_told_of(stream: EventStream) -> None:
    text = stream.text("import matplotlib.pyplot as plt\nplt.plot([1])\n"
                       "plt.show()\nprint('done')")
    assert text.count("was drawn") == 1 and "done" in text, text
    assert "frame" in stream.text("display('frame')")


def test_a_long_text_is_cut_in_the_middle(stream: EventStream) -> None:
    text = stream.text("print('a' + '\U0001f600' * 100000 + 'z')")
    assert 19000 < len(text) <= 20000
    assert text.startswith("a\U0001f600") and text.endswith("\U0001f600z\n")
    assert "characters were cut" in text


def test_nothing_is_kept(stream: EventStream) -> None:
    stream.text("kept = 1")
    assert "NameError" in stream.text("kept")


def test_a_program_at_its_end_of_time_is_a_text(stream: EventStream) -> None:
    limits = stream.client.request("GET", "/", headers={
        "Accept": "application/json"}).json()["limits"]
    text = stream.text("import time; time.sleep(999)")
    assert f"({limits['timeout_ms']} ms)" in text


# -- errors of HTTP


@pytest.mark.parametrize("body, code", [
    ("{", -32700), ("", -32700), ("[]", -32600), ("1", -32600),
    ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
    ('{"id": 1, "method": "ping"}', -32600),
    ('{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600)])
def test_what_is_no_message_is_400(client: Client, stream: EventStream,
                                   body: str, code: int) -> None:
    assert error(client, "POST", stream.path, body, JSON) == (400, code)
    assert stream.ask("ping")["result"] == {}


def test_a_version_that_is_not_served_is_400(client: Client,
                                             stream: EventStream) -> None:
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    for version in ("2026-07-28", "x"):
        assert error(client, "POST", stream.path, ping, {
            **JSON, "MCP-Protocol-Version": version}) == (400, -32022)
    for version in VERSIONS:
        assert stream.send(ping, MCP_Protocol_Version=version).status == 202
        assert stream.message()["result"] == {}


@pytest.mark.parametrize("query", [
    "", "?stream=", "?stream=" + "0" * 32, "?stream=" + "0" * 31,
    "?stream=" + "0" * 5000, "?stream=../" + "0" * 29, "?id=1"])
def test_a_stream_that_is_not_there_is_404(client: Client,
                                           query: str) -> None:
    assert error(client, "POST", "/messages" + query,
                 '{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
                 JSON) == (404, -32000)


def test_a_stream_that_has_ended_is_404(client: Client) -> None:
    with EventStream(client) as stream:
        path = stream.path
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    until(lambda: client.request("POST", path, ping, JSON).status == 404)


@pytest.mark.parametrize("method, path, allow", [
    ("POST", "/sse", "GET, HEAD"), ("DELETE", "/sse", "GET, HEAD"),
    ("DELETE", "/messages", "POST"), ("GET", "/messages", "POST")])
def test_other_methods_are_405(client: Client, method: str, path: str,
                               allow: str) -> None:
    body = "{}" if method == "POST" else None
    reply = client.request(method, path, body, JSON)
    assert (reply.status, reply.header("Allow")) == (405, allow)
    assert reply.json()["error"]["code"] == -32000


@pytest.mark.parametrize("method, path", [("GET", "/sse"),
                                          ("POST", "/messages")])
def test_tokens_and_origins(client: Client, method: str, path: str) -> None:
    reply = client.request(method, path, auth=False)
    assert reply.status == 401
    assert reply.header("WWW-Authenticate") == "Bearer"
    reply = client.request(method, path,
                           headers={"Origin": "https://other.example"})
    assert reply.status == 403


def test_a_body_that_is_too_large_is_413(client: Client,
                                         stream: EventStream) -> None:
    assert stream.send(b" " * (101 << 20)).status == 413
    assert stream.ask("ping")["result"] == {}


# -- many at once


def test_the_ninth_stream_of_a_client_is_refused(client: Client) -> None:
    held: list[EventStream] = []
    try:
        # Streams of earlier tests may not have ended yet.
        until(lambda: _begin(client, held) and len(held) == 8)
        with pytest.raises(NoStream) as refused:
            EventStream(client)
        assert refused.value.reply.status == 503
        assert refused.value.reply.header("Retry-After") == "1"
        assert refused.value.reply.json()["error"]["code"] == -32000
        held.pop().close()
        until(lambda: _begin(client, held))
    finally:
        for stream in held:
            stream.close()


def _begin(client: Client, held: list[EventStream]) -> bool:
    try:
        held.append(EventStream(client))
    except NoStream as error:
        assert error.reply.status == 503
        return False
    return True


def test_the_fifth_program_of_a_stream_is_busy(stream: EventStream) -> None:
    runs = [stream.start("import time; time.sleep(3)\nprint('slept')")
            for _ in range(4)]
    busy = stream.start("1")
    first = stream.message()
    assert first["id"] == busy and first["error"]["code"] == -32000
    assert "busy" in first["error"]["message"]
    assert stream.begin("ping") and stream.message()["result"] == {}
    got = [stream.message() for _ in runs]
    assert sorted(answer["id"] for answer in got) == runs
    assert {answer["result"]["content"][0]["text"] for answer in got} == \
        {"slept\n"}
    assert stream.text("2") == "2"


def test_answers_find_their_streams(client: Client) -> None:
    with EventStream(client) as one, EventStream(client) as other:
        assert one.start("'one'") == other.start("'other'") == 1
        for stream, text in ((one, "'one'"), (other, "'other'")):
            assert stream.message()["result"]["content"][0]["text"] == text


def test_the_comment_of_a_silent_stream(stream: EventStream) -> None:
    until(lambda: stream.comments > 0)
    assert stream.ask("ping")["result"] == {}
