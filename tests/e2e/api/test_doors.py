"""Rules for every door: one connection for many requests, a pool that is busy
or broken, time-outs, pages of other origins. These start servers of their
own."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any, Iterator

import pytest
from client import JSON, Client, Reply, b64
from conftest import wait_until
from own_server import Place
from test_overload import reason, start_without_waiting


def mcp_call(code: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "run_python", "arguments": {"code": code}}}


SLEEP = "import time\ntime.sleep(1.5)\ndef main(): pass"
# Path: a body that sleeps, a body that is quick.
DOORS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "/": ({"code": SLEEP}, {"code": "1"}),
    "/run": ({"code_b64": b64(SLEEP)},
             {"code_b64": b64("def main(): return 1")}),
    "/api/ai/python-execute": ({"code": SLEEP}, {"code": "1"}),
    "/api/ai/python-syntax-check": ({"code": "1"}, {"code": "1"}),
    "/api/ai/python-ast-check": ({"code": "1"}, {"code": "1"}),
    "/v1/sandbox/run": ({"language": "python3", "code": SLEEP},
                        {"language": "python3", "code": "1"}),
    "/eval": ({"input": SLEEP}, {"input": "1"}),
    "/mcp": (mcp_call(SLEEP), mcp_call("1")),
    "/api/v2/execute": (
        {"language": "python", "version": "*", "files": [{"content": SLEEP}]},
        {"language": "python", "version": "*", "files": [{"content": "1"}]}),
    "/e2b/execute": ({"code": SLEEP}, {"code": "1"}),
}
RUNNING = [path for path in DOORS if "-check" not in path]


Headers = dict[str, str]


def ready(client: Client, path: str) -> Headers:
    """The headers for requests to PATH: E2B's name a sandbox."""
    if not path.startswith("/e2b/"):
        return JSON
    made = client.request("POST", "/e2b/sandboxes", "{}", JSON)
    assert made.status == 201, made.body
    return {**JSON, "E2b-Sandbox-Id": made.json()["sandboxID"]}


def ask(client: Client, path: str, fields: Any,
        headers: Headers = JSON) -> Reply:
    return client.request("POST", path, json.dumps(fields), headers)


def is_busy(path: str, reply: Reply) -> bool:
    """The answer of a full pool, in the door's shape."""
    if path.startswith("/e2b/"):  # a good one is a stream
        return (reply.status, reply.header("Retry-After")) == (503, "1") \
            and reply.json()["code"] == 503
    got = reply.json()
    if path == "/run":
        return (reply.status, got["status"], got["exit_code"],
                got["stderr"], got["detail"], len(got)) == \
            (200, "program_runner_error", -10, "Container pool is busy",
             "no_available_container", 12)
    if path == "/v1/sandbox/run":
        return (reply.status, reply.header("Retry-After"), got) == (
            503, "1", {"code": -503, "message": "Too many requests",
                       "data": None})
    if path == "/eval":
        return (reply.status, reply.header("Retry-After"), list(got),
                got.get("title")) == (503, "1", ["title", "description"],
                                  "503 Service Unavailable")
    if path == "/mcp":
        # nginx does not read the message, so its answer has no id.
        return (reply.status, reply.header("Retry-After")) == (503, "1") \
            and got["id"] in (1, None) and got["error"]["code"] == -32000
    if path == "/api/v2/execute":
        return (reply.status, reply.header("Retry-After"), list(got)) == (
            503, "1", ["message"])
    return reply.status == 503 and reply.header("Retry-After") == "1" and \
        ("ok" in got) == path.startswith("/api/")


@pytest.mark.parametrize("path", RUNNING)
def test_a_full_pool(place: Place, path: str) -> None:
    assert place("start", WORKERS="1", ARMED="1",
                 CONF_EXTRA="server.backlog=1").returncode == 0
    client = place.client()
    headers = ready(client, path)
    replies: list[Reply] = []

    def one() -> None:
        replies.append(ask(client, path, DOORS[path][0], headers))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
        time.sleep(0.02)
    for thread in threads:
        thread.join()
    busy = [reply for reply in replies if is_busy(path, reply)]
    assert len(busy) >= 4, [reply.body for reply in replies]
    assert all(reply.status == 200 for reply in replies
               if reply not in busy)


def test_a_pool_that_can_arm_nobody(place: Place) -> None:
    """Its home holds less than its skeleton."""
    skeleton = place.prefix.parent / "skeleton"
    skeleton.mkdir()
    skeleton.chmod(0o755)
    for i in range(200):
        (skeleton / f"file{i}").write_text("x")
    assert place("start").returncode == 0
    client = place.client()
    assert place("stop").returncode == 0
    child = start_without_waiting(
        place, f"guest.preload=json;guest.skeleton={skeleton};"
        "limits.home_inodes=100")
    try:
        wait_until(lambda: reason(client) != "", 60, "the reason is told")
        for path, (_, quick) in DOORS.items():
            if path == "/e2b/execute":  # there can be no sandbox
                path, quick = "/e2b/sandboxes", {}
            reply = ask(client, path, quick)
            assert is_busy(path, reply), (path, reply.status, reply.body)
    finally:
        child.terminate()
        child.wait(20)


def test_a_timeout(place: Place) -> None:
    assert place("start",
                 CONF_EXTRA="limits.timeout_ms=5000").returncode == 0
    got = ask(place.client(), "/run", {"code_b64": b64(
        "def main():\n  print('x', flush=True)\n  while True: pass")}).json()
    assert got["status"] == "resource_limit_exceeded"
    assert (got["exit_code"], got["stderr"]) == (-124, "Execution timeout")
    assert got["resource_limit_type"] == "time" and got["stdout"] == ""
    assert got["result"] is None and got["time_used_ms"] >= 4950


def test_a_timeout_of_dify(place: Place) -> None:
    started = place("start", CONF_EXTRA="limits.timeout_ms=1500")
    assert started.returncode == 0, started.stderr
    reply = ask(place.client(), "/v1/sandbox/run", {
        "language": "python3",
        "code": "print('so far', flush=True)\nwhile True: pass"})
    data = reply.json()["data"]
    assert (data["exit_code"], data["stdout"]) == (-1, "so far\n")
    lines = data["error"].splitlines()
    assert lines[0] == "process exited with code -1"
    assert lines[1].startswith("error: timeout: the time limit was reached")
    assert "1500 ms" in lines[1]


def test_a_timeout_of_snekbox(place: Place) -> None:
    started = place("start", CONF_EXTRA="limits.timeout_ms=1500")
    assert started.returncode == 0, started.stderr
    got = ask(place.client(), "/eval", {
        "input": "open('left', 'w').close()\n"
                 "print('so far', flush=True)\nwhile True: pass"}).json()
    assert got == {"stdout": "so far\n", "returncode": 137, "files": [
        {"path": "left", "size": 0, "content": ""}]}


def test_a_body_that_is_too_large_for_dify(place: Place) -> None:
    started = place("start", CONF_EXTRA="server.body_mb=1")
    assert started.returncode == 0, started.stderr
    reply = ask(place.client(), "/v1/sandbox/run", {
        "language": "python3", "code": "#" * (2 << 20)})
    assert (reply.status, reply.json()["code"]) == (200, -413)


def test_one_connection_for_many_requests(place: Place) -> None:
    """A client that keeps its connection, and pauses between requests for
    longer than the web server waits, may have to open it again; requests in
    time are answered on the same one."""
    assert place("start").returncode == 0
    client = place.client()
    headers = {path: {**ready(client, path), **client.credentials()}
               for path in DOORS}
    connection = client.connection(30)
    for turn in range(40):
        for path, (_, quick) in DOORS.items():
            connection.request("POST", path, json.dumps(quick), headers[path])
            response = connection.getresponse()
            assert response.status == 200 and response.read()
            if turn == 0 and path == "/":
                first = connection.sock
        time.sleep(0.1)
    assert connection.sock is first and first is not None
    connection.close()


# -- pages of other origins

ORIGIN = "https://app.example"


@pytest.fixture(params=[False, True])
def pages(place: Place, request: Any) -> Iterator[tuple[bool, Client]]:
    """Whether ORIGIN is allowed, and a client of such a server."""
    assert place("start", NGINX_CORS=ORIGIN if request.param else ""
                 ).returncode == 0
    yield request.param, place.client()


def preflight(client: Client, path: str, origin: str) -> Reply:
    return client.request("OPTIONS", path, headers={
        "Origin": origin, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type"},
        auth=False)


def test_pages_of_other_origins(pages: tuple[bool, Client]) -> None:
    allowed, client = pages
    for path, (_, quick) in DOORS.items():
        reply = preflight(client, path, ORIGIN)
        sent = ask(client, path, quick, {**ready(client, path),
                                         "Origin": ORIGIN})
        # The protocol wants no answer for a page that is not allowed.
        assert sent.status == (200 if allowed or path != "/mcp" else 403)
        if not allowed:
            assert reply.status == (200 if path == "/eval" else 405)
            assert not cors_headers(reply) and not cors_headers(sent)
            continue
        assert reply.status == 204
        assert reply.header("Access-Control-Allow-Origin") == ORIGIN
        assert "POST" in reply.header("Access-Control-Allow-Methods")
        assert "Authorization" in reply.header("Access-Control-Allow-Headers")
        assert ("E2b-Sandbox-Id" in reply.header("Access-Control-Allow-Headers")
                ) == path.startswith("/e2b/")
        assert sent.header("Access-Control-Allow-Origin") == ORIGIN
        assert "Origin" in sent.all("Vary")
        assert "Access-Control-Allow-Methods" not in dict(sent.headers)
    for origin in ("https://app.example.evil", "https://other.example",
                   "null", "http://app.example"):
        reply = preflight(client, "/", origin)
        assert reply.status == 405 and not cors_headers(reply)
    assert preflight(client, "/nope", ORIGIN).status == 404
    assert preflight(client, "/status", ORIGIN).status == (
        204 if allowed else 405)  # a page sends its token there, too


def cors_headers(reply: Reply) -> list[str]:
    return [name for name, _ in reply.headers
            if re.match("access-control-", name, re.I)]


def test_a_page_without_a_token_reads_why(pages: tuple[bool, Client]) -> None:
    allowed, client = pages
    reply = client.request("POST", "/run", "{}", {**JSON, "Origin": ORIGIN},
                           auth=False)
    assert reply.status == 401
    assert bool(cors_headers(reply)) == allowed
