"""nginx.conf.example in a real nginx: too many, broken or late requests."""

import concurrent.futures
import contextlib
import http.client
import os
import socket
import sys
import time
from typing import Dict, Iterator, List

import pytest

# pylint: disable=wrong-import-position
from conftest import best_of_three  # noqa: E402
from nginx_harness import (  # noqa: E402
    Nginx, Reply, assert_error, assert_headers, running)

# Short waits, so that late answers are soon late.
HASTY = (("client_header_timeout 10s;", "client_header_timeout 3s;"),
         ("keepalive_timeout 10s;", "keepalive_timeout 1s;\n"
          "lingering_timeout 1s;"),
         ("client_body_timeout 10s;", "client_body_timeout 3s;"),
         ("fastcgi_read_timeout 105s;", "fastcgi_read_timeout 2s;"),
         ("zone=stranger_rate:10m rate=5r/s",
          "zone=stranger_rate:10m rate=1000r/s"))


@pytest.fixture(name="nginx", scope="module")
def nginx_fixture() -> Iterator[Nginx]:
    with running(HASTY) as nginx:
        yield nginx


@pytest.fixture(name="fresh")
def fresh_fixture() -> Iterator[Nginx]:
    """As it is written, with no client counted yet."""
    with running() as nginx:
        yield nginx


class RawReply(Reply):
    """An answer that has come as bytes."""

    def __init__(self, data: bytes) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(data)
            theirs.shutdown(socket.SHUT_WR)
            response = http.client.HTTPResponse(ours)
            response.begin()
            super().__init__(response)


# --- Refusals by nginx -----------------------------------------------------

HOST = b"Host: x\r\n"
RAW = [
    (b"NONSENSE\r\n\r\n", 400, "bad_request"),
    (b"get / HTTP/1.1\r\n" + HOST, 400, "bad_request"),
    (b"GET / HTTP/1.1\r\n", 400, "bad_request"),
    (b"GET / HTTP/1.1\r\n" + HOST + HOST, 400, "bad_request"),
    (b"GET /%00 HTTP/1.1\r\n" + HOST, 400, "bad_request"),
    (b"GET /../x HTTP/1.1\r\n" + HOST, 400, "bad_request"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n", 400,
     "bad_request"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\n"
     b"Content-Length: 2\r\n", 400, "bad_request"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\n"
     b"Transfer-Encoding: chunked\r\n", 400, "bad_request"),
    (b"TRACE / HTTP/1.1\r\n" + HOST, 405, "method_not_allowed"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 104857601\r\n", 413,
     "too_large"),
    (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST, 414, "uri_too_long"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Encoding: gzip\r\n", 415,
     "unsupported_media_type"),
    (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 9000 + b"\r\n", 431,
     "headers_too_large"),
    (b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n", 501,
     "not_implemented"),
    (b"GET / HTTP/3.0\r\n" + HOST, 505, "version_not_supported"),
    (b"GET / HTTP/1.1\r\n" + HOST + b"If-Match: \"x\"\r\n", 412,
     "precondition_failed"),
]


@pytest.mark.parametrize("head, status, code", RAW)
def test_bad_requests(nginx: Nginx, head: bytes, status: int,
                      code: str) -> None:
    reply = RawReply(nginx.send_raw(head + b"Connection: close\r\n\r\n"))
    assert_error(reply, status, code)


def test_http_on_the_https_port(nginx: Nginx) -> None:
    reply = nginx.ask("GET", "/", token=None, port=nginx.port)
    assert_error(reply, 400, "bad_request")


def test_chunks_beyond_the_limit(nginx: Nginx) -> None:
    """A body without an announced length."""
    reply = nginx.ask(body={"code": "1"}, headers={
        "Content-Encoding": "identity"})
    assert reply.status == 200
    head = (b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + nginx.tokens["alice"].encode() + b"\r\n"
            b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    reply = RawReply(nginx.send_raw(head + b"2\r\n{}\r\n0\r\n\r\n"))
    assert reply.json()["params"]["CONTENT_LENGTH"] == "2"
    reply = RawReply(nginx.send_raw(head + b"6400001\r\n{}"))
    assert_error(reply, 413, "too_large")


def test_header_that_does_not_come(nginx: Nginx) -> None:
    began = time.monotonic()
    assert nginx.send_raw(b"POST / HTTP/1.1\r\nHost: x\r\nX-") == b""
    assert time.monotonic() - began < 9.5


def test_half_a_body_reaches_no_worker(nginx: Nginx) -> None:
    plain = socket.create_connection(("127.0.0.1", nginx.port), 5)
    with nginx.tls().wrap_socket(plain,
                                 server_hostname="localhost") as peer:
        peer.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
                     + nginx.tokens["alice"].encode() + b"\r\n"
                     b"Content-Length: 10\r\n\r\nshort")
        time.sleep(0.3)
        assert nginx.echoes["fastcgi.sock"].is_idle()


def test_body_that_does_not_come(nginx: Nginx) -> None:
    """nginx hangs up; no worker has heard of it."""
    began = time.monotonic()
    answer = nginx.send_raw(
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n"
        b"X-Api-Key: " + nginx.tokens["alice"].encode() + b"\r\n\r\nshort")
    assert answer == b""
    assert time.monotonic() - began < 9.5
    assert {line["status"] for line in nginx.access_log()} >= {408}


# --- Faults of workers -----------------------------------------------------

def test_own_errors_of_a_worker_pass(nginx: Nginx) -> None:
    for status in (400, 401, 404, 405, 413, 415, 500, 502, 503, 504):
        text = f'{{"error":{{"code":"own-{status}"}}}}'
        reply = nginx.ask(body={"status": status, "text": text, "headers": [
            "Retry-After: 7", "Allow: BREW", "WWW-Authenticate: Own"]})
        assert reply.status == status
        assert reply.body.decode() == text
        assert reply.one("Retry-After") == "7"
        assert reply.one("Allow") == "BREW"
        assert reply.one("WWW-Authenticate") == "Own"
        assert_headers(reply)


def test_busy_worker_without_retry_after(nginx: Nginx) -> None:
    reply = nginx.ask(body={"status": 503, "text": "x"})
    assert (reply.status, reply.body) == (503, b"x")
    assert reply.one("Retry-After") == "1"


@pytest.mark.parametrize("what", ["die", "garbage"])
def test_worker_that_dies(nginx: Nginx, what: str) -> None:
    assert_error(nginx.ask(body={"do": what}), 503, "unavailable", ran=True)


@pytest.mark.parametrize("what", ["die", "garbage"])
def test_worker_that_dies_behind_another_door(nginx: Nginx,
                                              what: str) -> None:
    reply = nginx.ask(path="/run", body={"do": what})
    assert (reply.status, reply.json()["exit_code"],
            reply.json()["detail"]) == (200, -3, "internal_error")
    assert reply.json()["stderr"] and not reply.all("Retry-After")
    reply = nginx.ask(path="/execute", body={"do": what})
    assert reply.status == 503 and "may have run" in reply.json()["detail"]
    reply = nginx.ask(path="/api/ai/python-execute", body={"do": what})
    assert reply.status == 503 and "may have run" in reply.json()["error"]
    assert not reply.all("Retry-After")


def test_no_worker(nginx: Nginx) -> None:
    nginx.stop_echo()
    try:
        assert_error(nginx.ask(body={}), 503, "unavailable")
    finally:
        nginx.start_echo()
    assert nginx.ask(body={}).status == 200


def test_full_backlog(nginx: Nginx) -> None:
    """A socket with a full queue: refused at once, not kept waiting."""
    nginx.stop_echo()
    path = nginx.path("run", "fastcgi.sock")
    with contextlib.ExitStack() as stack:
        stack.callback(nginx.start_echo)
        stack.callback(os.unlink, path)
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen(0)
        waiting = stack.enter_context(socket.socket(socket.AF_UNIX))
        waiting.connect(path)

        def took() -> float:
            began = time.monotonic()
            assert_error(nginx.ask(body={}), 503, "unavailable")
            return time.monotonic() - began

        best_of_three(took, 1)


def test_late_answer(nginx: Nginx) -> None:
    reply = nginx.ask(body={"sleep": 4, "text": "late"})
    assert_error(reply, 504, "timeout")


def test_answer_cut_short_can_be_told(nginx: Nginx) -> None:
    """By its length, once nginx has hung up: see keepalive_timeout."""
    with pytest.raises(http.client.IncompleteRead):
        nginx.ask(body={"do": "cut", "size": 100000})


def test_client_that_leaves(nginx: Nginx) -> None:
    """Its worker is told, by the end of the connection."""
    def took() -> float:
        echo = nginx.start_echo()
        plain = socket.create_connection(("127.0.0.1", nginx.port), 5)
        with nginx.tls().wrap_socket(plain,
                                     server_hostname="localhost") as peer:
            peer.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
                         + nginx.tokens["alice"].encode() + b"\r\n"
                         b"Content-Length: 13\r\n\r\n" + b'{"sleep": 10}')
            time.sleep(0.3)
        began = time.monotonic()
        assert echo.heard() == b"peer left\n"
        return time.monotonic() - began

    best_of_three(took, 1)


def test_large_bodies(nginx: Nginx) -> None:
    size = 20 << 20
    reply = nginx.ask(body=b"x" * size)
    assert reply.json()["body_size"] == size
    assert reply.json()["params"]["CONTENT_LENGTH"] == str(size)
    reply = nginx.ask(body={"size": size})
    assert len(reply.body) == size and reply.body.strip(b"x") == b""


def test_slow_reader_holds_no_worker(nginx: Nginx) -> None:
    """All of a large answer is taken from the worker at once."""
    body = b'{"size": 20000000}'
    plain = socket.create_connection(("127.0.0.1", nginx.port), 5)
    with nginx.tls().wrap_socket(plain,
                                 server_hostname="localhost") as peer:
        peer.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
                     + nginx.tokens["alice"].encode() + b"\r\n"
                     b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert peer.recv(10).startswith(b"HTTP/1.1")
        end = time.monotonic() + 15
        while not nginx.echoes["fastcgi.sock"].is_idle():
            assert time.monotonic() < end, "nginx leaves it in the worker"
            time.sleep(0.02)


def test_only_one_try_and_only_from_here() -> None:
    """A request that failed at one server is not sent to another; and the
    operator's port answers no other address than it is told to."""
    changes = (("upstream terrarium_workers {",
                "upstream terrarium_workers { server 127.0.0.1:1;"),
               ("allow 127.0.0.0/8;", "allow 127.0.0.2;"))
    with running(changes) as nginx:
        replies = [nginx.ask(body={}) for _ in range(4)]
        assert 503 in {reply.status for reply in replies}
        for reply in replies:
            line = nginx.logged(reply.one("X-Request-Id"))
            assert line["worker_status"] in ("200", "502")
        for path in ("/status", "/metrics", "/health", "/"):
            reply = nginx.ask("GET", path, token=None,
                              port=nginx.status_port)
            if path == "/":
                assert_error(reply, 404, "not_found")
            else:
                assert_error(reply, 403, "forbidden")


# --- How much --------------------------------------------------------------

def burst(nginx: Nginx, count: int, **request: object) -> List[Reply]:
    """COUNT requests, as fast as eight threads can send them."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(nginx.ask, **request)  # type: ignore[arg-type]
                 for _ in range(count)]
        return [one.result() for one in asked]


SLOW = (("rate=10000r/s", "rate=5r/s"), ("burst=10000 ", "burst=100 "))


def test_client_rate() -> None:
    """More than the default at once is too fast, for that client alone."""
    with running(SLOW) as nginx:
        replies = burst(nginx, 1000)
        good = [reply for reply in replies if reply.status == 200]
        late = [reply for reply in replies if reply.status != 200]
        assert len(good) >= 101 and late
        for reply in late:
            assert_error(reply, 429, "too_many_requests")
        replies = burst(nginx, 80, token="bob")
        assert {reply.status for reply in replies} == {200}


def test_default_rate_refuses_none(fresh: Nginx) -> None:
    """One token, as fast as eight threads can: all users of a service."""
    assert {reply.status for reply in burst(fresh, 1500)} == {200}


RAGFLOW = ["status", "stdout", "stderr", "exit_code", "detail",
           "time_used_ms", "memory_used_kb", "resource_limit_type",
           "unauthorized_access_type", "runtime_error_type", "artifacts",
           "result"]


def assert_ragflow(reply: Reply, code: int, detail: str) -> None:
    """An error as RAGFlow's clients read it: all keys, with HTTP 200."""
    assert reply.status == 200, reply.body
    got = reply.json()
    assert list(got) == RAGFLOW
    assert (got["status"], got["exit_code"], got["detail"]) == \
        ("program_runner_error", code, detail)
    assert got["stdout"] == "" and got["stderr"]
    assert got["artifacts"] == [] and got["result"] is None
    assert reply.all("Retry-After") == (["1"] if code in (-429, -10) else [])
    assert_headers(reply)


def test_client_rate_of_ragflow() -> None:
    """Its own limiter answers 200 with -429, and its callers try again."""
    with running(SLOW) as nginx:
        replies = burst(nginx, 1000, path="/run", body={"text": "{}"})
        stranger = burst(nginx, 60, path="/run", token=None)
    late = [reply for reply in replies if reply.body != b"{}"]
    assert late
    for reply in late:
        assert_ragflow(reply, -429, "too_many_requests")
    assert {reply.status for reply in stranger} == {200, 401}
    for reply in stranger:
        if reply.status == 200:
            assert_ragflow(reply, -429, "too_many_requests")


def test_errors_of_ragflow(nginx: Nginx) -> None:
    assert_ragflow(nginx.ask(path="/run", body=b"{}", headers={
        "Content-Encoding": "gzip"}), -415, "unsupported_media_type")
    big = b"POST /run HTTP/1.1\r\nX-Api-Key: " + \
        nginx.tokens["alice"].encode() + b"\r\n" + HOST.rstrip() + \
        b"\r\nContent-Length: 999999999\r\n\r\n"
    assert b"HTTP/1.1 200 " in nginx.send_raw(big)
    assert_ragflow(nginx.ask(path="/run", body={"sleep": 4, "text": "late"}),
                   -3, "internal_error")
    nginx.stop_echo()
    try:
        assert_ragflow(nginx.ask(path="/run", body={}), -10,
                       "no_available_container")
    finally:
        nginx.start_echo()


def assert_dify(reply: Reply, code: int, words: str, status: int = 200,
                retry: bool = False) -> None:
    """An error as Dify reads it: an envelope, nearly always with HTTP 200."""
    assert reply.status == status, reply.body
    got = reply.json()
    assert list(got) == ["code", "message", "data"]
    assert (got["code"], got["data"]) == (code, None)
    assert words in got["message"]
    assert reply.all("Retry-After") == (["1"] if retry else [])
    assert_headers(reply)


DIFY = "/v1/sandbox/run"


def test_client_rate_of_dify() -> None:
    with running(SLOW) as nginx:
        replies = burst(nginx, 1000, path=DIFY, body={"text": "{}"})
    late = [reply for reply in replies if reply.body != b"{}"]
    assert late
    for reply in late:
        assert_dify(reply, -429, "Too many requests", retry=True)


def test_errors_of_dify(nginx: Nginx) -> None:
    assert_dify(nginx.ask(path=DIFY, body=b"{}", headers={
        "Content-Encoding": "gzip"}), -415, "Content-Encoding")
    assert_dify(nginx.ask(path=DIFY, body=b"{}", token=None), -401, "token",
                401)
    assert_dify(nginx.ask("GET", path=DIFY), -405, "method", 405)
    big = b"POST " + DIFY.encode() + b" HTTP/1.1\r\nX-Api-Key: " + \
        nginx.tokens["alice"].encode() + b"\r\n" + HOST.rstrip() + \
        b"\r\nContent-Length: 999999999\r\n\r\n"
    answer = nginx.send_raw(big)
    assert b"HTTP/1.1 200 " in answer and b'{"code":-413,' in answer
    assert_dify(nginx.ask(path=DIFY, body={"sleep": 4, "text": "late"}),
                -504, "in time")
    nginx.stop_echo()
    try:
        assert_dify(nginx.ask(path=DIFY, body={}), -503, "Too many requests",
                    503, retry=True)
    finally:
        nginx.start_echo()


def test_errors_of_snekbox(nginx: Nginx) -> None:
    def check(reply: Reply, status: int, title: str) -> None:
        assert (reply.status, list(reply.json())) == (
            status, ["title", "description"])
        assert reply.json()["title"] == f"{status} {title}"
        assert_headers(reply)

    path = "/eval"
    check(nginx.ask(path=path, body=b"{}", token=None), 401, "Unauthorized")
    check(nginx.ask("GET", path=path), 405, "Method Not Allowed")
    check(nginx.ask(path=path, body=b"{}", headers={
        "Content-Encoding": "gzip"}), 415, "Unsupported Media Type")
    check(nginx.ask(path=path, body={"sleep": 4, "text": "late"}), 504,
          "Gateway Timeout")
    nginx.stop_echo()
    try:
        reply = nginx.ask(path=path, body={})
        check(reply, 503, "Service Unavailable")
        assert reply.all("Retry-After") == ["1"]
    finally:
        nginx.start_echo()


def test_errors_of_opensandbox(nginx: Nginx) -> None:
    def check(reply: Reply, status: int, code: str) -> None:
        assert (reply.status, set(reply.json())) == (
            status, {"code", "message"})
        assert reply.json()["code"] == code
        assert_headers(reply)

    path = "/opensandbox/" + "a" * 40 + "/code"
    check(nginx.ask(path=path, body=b"{}", token=None), 401, "unauthorized")
    check(nginx.ask("GET", path=path), 405, "method_not_allowed")
    check(nginx.ask(path=path, body=b"{}", headers={
        "Content-Encoding": "gzip"}), 415, "unsupported_media_type")
    check(nginx.ask("GET", path="/opensandbox/v1/nothing"), 404, "not_found")
    check(nginx.ask(path="/opensandbox/v1/sandboxes/a/pause", body=b"{}"),
          501, "not_implemented")
    nginx.stop_echo()
    try:
        reply = nginx.ask(path=path, body={})
        check(reply, 503, "unavailable")
        assert reply.all("Retry-After") == ["1"]
    finally:
        nginx.start_echo()


def test_stranger_rate(fresh: Nginx) -> None:
    """Guessing is slowed by address; clients with a token are not."""
    guess = {"X-Api-Key": "wrong"}
    replies = burst(fresh, 60, token=None, headers=guess)
    statuses = [reply.status for reply in replies]
    assert 21 <= statuses.count(401) <= 40
    assert statuses.count(401) + statuses.count(429) == 60
    late = next(reply for reply in replies if reply.status == 429)
    assert_error(late, 429, "too_many_requests")
    began = time.monotonic()
    assert {reply.status for reply in burst(fresh, 50)} == {200}
    assert time.monotonic() - began < 9.5
    assert fresh.ask("GET", "/health", token=None).status == 200


PAGE = "https://app.example"
OF_A_PAGE = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}


@pytest.mark.parametrize("method, path, status, headers", [
    ("GET", "/", 200, {}), ("POST", "/nothing", 404, {}), ("GET", "/metrics", 404, {}),
    ("PUT", "/", 405, {}), ("POST", "/status", 405, {}),
    ("POST", "/healthz", 405, {}),
    ("POST", "/execute", 415, {"Content-Encoding": "gzip"}),
    ("OPTIONS", "/execute", 204, OF_A_PAGE),
    ("OPTIONS", "/status", 204, OF_A_PAGE)])
def test_what_is_not_run_is_counted(method: str, path: str, status: int,
                                    headers: Dict[str, str]) -> None:
    """A stranger's requests, whatever they are answered with."""
    named = ('cors_origins { default ""', f'cors_origins {{ default "{PAGE}"')
    with running((named,)) as nginx:
        replies = burst(nginx, 60, method=method, path=path,
                        token=None, headers=headers)
        statuses = [reply.status for reply in replies]
        assert 21 <= statuses.count(status) <= 40
        assert statuses.count(status) + statuses.count(429) == 60
        reply = nginx.ask(method, path, headers=headers)
        assert reply.status == status, "a client is counted by itself"


def keep_open(nginx: Nginx, count: int, stack: contextlib.ExitStack) -> None:
    """That many requests of alice, until STACK is left."""
    body = b'{"sleep": 30, "text": "x"}'
    data = (b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
            + nginx.tokens["alice"].encode() + b"\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body)
    context = nginx.tls()
    for _ in range(count):
        plain = socket.create_connection(("127.0.0.1", nginx.port), 5)
        peer = stack.enter_context(context.wrap_socket(
            plain, server_hostname="localhost"))
        peer.sendall(data)
    time.sleep(0.3)


def test_client_connections(fresh: Nginx) -> None:
    """128 requests of one client at a time, and another is not in the way."""
    with contextlib.ExitStack() as stack:
        keep_open(fresh, 127, stack)
        assert fresh.ask().status == 200
        keep_open(fresh, 1, stack)
        assert_error(fresh.ask(), 429, "too_many_requests")
        assert fresh.ask(token="bob").status == 200


def test_all_connections() -> None:
    """So many of all clients, because each may leave an answer on disk."""
    with running((("all_open 512", "all_open 8"),)) as nginx, \
            contextlib.ExitStack() as stack:
        keep_open(nginx, 8, stack)
        assert_error(nginx.ask(token="bob"), 429, "too_many_requests")
