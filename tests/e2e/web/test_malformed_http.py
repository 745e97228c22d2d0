"""HTTP that is wrong, old or too much of it, and the web server's answers.
These are requests that test_requests.py and test_nginx_limits.py do not send.
"""

from __future__ import annotations

import json
import re
import socket

import pytest
from answers import check_json_error
from client import JSON, Client, finish, head
from conftest import best_of_three

IDLE = 1000
PIPELINED = 40


def auth(client: Client) -> bytes:
    return f"Authorization: Bearer {client.token}\r\n".encode()


def answer(out: bytes) -> dict:
    """The JSON of the only answer in OUT."""
    return json.loads(out.partition(b"\r\n\r\n")[2])


BODY = b'{"code":"40 + 2"}'

# Each could be read in two ways: where the body ends, or where it goes.
SMUGGLED = {
    "space before colon": b"Transfer-Encoding : chunked\r\n",
    "vertical tab": b"Transfer-Encoding: \x0bchunked\r\n",
    "two codings": b"Transfer-Encoding: chunked, chunked\r\n",
    "identity too": b"Transfer-Encoding: chunked\r\n"
                    b"Transfer-Encoding: identity\r\n",
    "folded": b"Transfer-Encoding:\r\n chunked\r\n",
    "length and chunked": b"Content-Length: 17\r\n"
                          b"Transfer-Encoding: chunked\r\n",
    "lengths in a list": b"Content-Length: 17, 17\r\n",
    "length in hex": b"Content-Length: 0x11\r\n",
    "length with a sign": b"Content-Length: +17\r\n",
    "two hosts": b"Content-Length: 17\r\nHost: y\r\n",
    "bare return": b"Content-Length: 17\r\nX: a\rHost: y\r\n",
}


@pytest.mark.parametrize("name", SMUGGLED)
def test_read_in_two_ways(client: Client, name: str) -> None:
    """Refused, or taken in the one way that is in the standard; the bytes
    behind it are never a request of their own."""
    out = client.raw(b"POST / HTTP/1.1\r\nHost: x\r\n" + auth(client)
                     + SMUGGLED[name] + b"Connection: close\r\n\r\n" + BODY
                     + b"GET /packages HTTP/1.1\r\nHost: x\r\n"
                     + auth(client) + b"\r\n")
    assert re.match(rb"HTTP/1\.1 (4\d\d|501) |$", out), out[:300]
    assert out.count(b"HTTP/1.1 ") <= 1
    assert b"numpy" not in out


@pytest.mark.parametrize("chunks", [
    b"11;" + b"x" * 65536 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
    b"G\r\n", b"-1\r\n", b"11\r\n" + BODY + b"x\r\n0\r\n\r\n",
    b"fffffffffffffffff\r\n", b"11 \r\n" + BODY + b"\r\n0\r\nX: y\r\n\r\n"],
    ids=lambda chunks: ascii(chunks[:8]))
def test_odd_chunks(client: Client, chunks: bytes) -> None:
    """Refused, or taken unchanged."""
    out = client.raw(head("POST", "/", {
        "Host": "x", "Transfer-Encoding": "chunked",
        "Authorization": f"Bearer {client.token}"}) + chunks)
    if out.startswith(b"HTTP/1.1 200 "):
        assert answer(out)["final_expression"] == 42
    else:
        assert re.match(rb"HTTP/1\.1 4\d\d ", out), out[:300]
        assert answer(out)["error"]["code"]


@pytest.mark.parametrize("line", [
    b"GET /\r\n", b"GET /packages\r\n", b"POST /\r\n\r\n" + BODY])
def test_http_before_1_0(client: Client, line: bytes) -> None:
    """Has no headers, hence no credential: nothing is run."""
    out = client.raw(line + b"\r\n")
    assert b'"final_expression"' not in out and b"numpy" not in out


def test_http_1_0(client: Client) -> None:
    out = client.raw(b"POST / HTTP/1.0\r\n" + auth(client)
                     + b"Content-Length: 17\r\n\r\n" + BODY)
    assert answer(out)["final_expression"] == 42


def test_absolute_uri(client: Client) -> None:
    out = client.raw(b"POST http://elsewhere/ HTTP/1.1\r\nHost: x\r\n"
                     + auth(client) + b"Content-Length: 17\r\n"
                     b"Connection: close\r\n\r\n" + BODY)
    assert answer(out)["final_expression"] == 42


@pytest.mark.parametrize("uri", ["//", "/%2e%2e/", "/%2F", "/.", "/x/..//",
                                 "/%0a", "/%ff", "/;", "/index.html"])
def test_path_that_is_nearly_one(client: Client, uri: str) -> None:
    """Only / is /; a path that equals it without its dots may pass."""
    reply = client.request("POST", uri, BODY, JSON)
    if reply.status != 200:
        check_json_error(reply, reply.status)
        assert reply.status in (400, 404), reply.status


def test_pipelined(client: Client) -> None:
    """Good and bad requests in one go: answers in order, independent."""
    codes = [f"{n} * 2" if n % 3 else "1 / 0" for n in range(PIPELINED)]
    out = b""
    with client.socket(30) as sock:
        for n, code in enumerate(codes):
            body = json.dumps({"code": code}).encode()
            last = b"Connection: close\r\n" if n == PIPELINED - 1 else b""
            sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + auth(client)
                         + last + b"Content-Length: %d\r\n\r\n" % len(body)
                         + body)
        while True:
            got = sock.recv(1 << 16)
            if not got:
                break
            out += got
    bodies = [json.loads(line) for line in
              re.findall(rb"^\{.*\}$", out, re.M)]
    if len(bodies) < PIPELINED:
        assert b"HTTP/1.1 429" in out
    for n, found in enumerate(bodies):
        if "success" in found:
            assert found["success"] is bool(n % 3)
            assert not n % 3 or found["final_expression"] == n * 2


def run_two(client: Client) -> float:
    reply = client.run("1 + 1")
    assert reply.json()["final_expression"] == 2
    return reply.seconds


def test_many_idle_connections(client: Client) -> None:
    """Without a word, or within a head: others are served as ever."""
    idle: list[socket.socket] = []
    try:
        for n in range(IDLE):
            sock = socket.create_connection((client.host, client.port), 10)
            if n % 2:
                sock.sendall(b"\x16\x03\x01\x02")
            idle.append(sock)
        best_of_three(lambda: run_two(client), 1)
    finally:
        for sock in idle:
            sock.close()


def test_expectation_whose_body_never_comes(client: Client) -> None:
    """The worker hears nothing of it."""
    with client.socket() as sock:
        sock.sendall(head("POST", "/", {
            "Host": "x", **JSON, "Expect": "100-continue",
            **client.credentials()}, 100))
        assert sock.recv(1 << 16).startswith(b"HTTP/1.1 100")
        best_of_three(lambda: run_two(client), 1)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_health_with_a_body(stranger: Client, method: str) -> None:
    reply = stranger.request(method, "/health", b"x" * 1000)
    assert reply.status == (200 if method == "GET" else 405)
    check = stranger.request("GET", "/health", b"x" * 5000)
    assert check.status in (200, 413)


def test_large_body_where_none_is_read(client: Client) -> None:
    """A worker that answers before it has read all is still heard."""
    body = b"x" * (8 << 20)
    assert client.request("GET", "/stop", body).json() == {"status": "ok"}
    reply = client.request("POST", "/forbidden-packages", body, JSON)
    check_json_error(reply, 413)


def test_client_that_leaves_within_its_answer(client: Client) -> None:
    """Of some megabytes; the next one gets its own."""
    for _ in range(5):
        sock = client.begin("open('f', 'wb').write(bytes(4 << 20))")
        sock.recv(1000)
        sock.close()
    assert client.value("1 + 1") == 2
    assert finish(client.begin("6 * 7")).json()["final_expression"] == 42
