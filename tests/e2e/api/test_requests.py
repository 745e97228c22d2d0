"""Requests, good and bad, as they travel: the exact answer, credentials,
sizes, framing, the other paths and methods, slow and hasty clients.

Every answer is JSON and its Content-Length is right. The fields of a body are
tested in test_bodies.py.
"""

from __future__ import annotations

import json
import re
import socket
import time
from typing import Any

import pytest
from answers import check_json_error
from client import JSON, MEGABYTE, Client, Reply, b64, finish, head
from conftest import Settings, best_of_three

BODY_LIMIT = 100 * MEGABYTE


# -- the plain case


def test_the_exact_line(client: Client) -> None:
    reply = client.run("1 + 1")
    text = reply.body.decode("ascii")
    pattern = (r'\{"output_files":\[\],"final_expression":2,'
               r'"success":true,"std_out":"","std_err":"",'
               r'"code_runtime":\d+,"usage":\{"cpu_ms":\d+,'
               r'"memory_peak_kb":\d+,"queue_ms":\d+,'
               r'"armed":(true|false)\},"exit_code":0,"id":"[^"]+"\}\n')
    assert re.fullmatch(pattern, text), text


def test_the_exact_order_of_a_failure(client: Client) -> None:
    text = client.run("print('x'); 1 / 0").body.decode("ascii")
    pattern = (r'\{"output_files":\[\],"success":false,"error":\{"type":'
               r'"ZeroDivisionError","message":"(?:[^"\\]|\\.)*"\},'
               r'"std_out":"x\\n","std_err":"","code_runtime":\d+,'
               r'"usage":\{[^}]*\},"exit_code":1,"id":"[^"]+"\}\n')
    assert re.fullmatch(pattern, text), text


def test_request_id(client: Client) -> None:
    first, second = client.run("1"), client.run("1")
    for reply in (first, second):
        assert reply.header("X-Request-Id") == reply.json()["id"]
        assert re.fullmatch(r"[0-9A-Za-z_-]{8,64}", reply.json()["id"])
    assert first.json()["id"] != second.json()["id"]


def test_request_id_is_not_the_clients(client: Client) -> None:
    reply = client.request("POST", "/", '{"code": "1"}',
                           {**JSON, "X-Request-Id": "forged"})
    assert reply.header("X-Request-Id") != "forged"
    assert reply.json()["id"] != "forged"


def test_headers_are_few_and_fixed(client: Client) -> None:
    reply = client.run("print('X-Evil: 1\\r\\n\\r\\n')")
    assert reply.header("X-Evil") is None
    assert reply.header("Set-Cookie") is None
    assert not re.search(r"\d", reply.header("Server") or "")
    assert reply.header("X-Powered-By") is None


def test_same_request_sent_twice_at_once(client: Client) -> None:
    """An impatient client is served twice, and nothing is shared."""
    socks = [client.begin("import os, time\ntime.sleep(0.2)\n"
                          "open('x', 'x').write('1')\nos.listdir()")
             for _ in range(2)]
    answers = [finish(sock).json() for sock in socks]
    assert [a["final_expression"] for a in answers] == [["x"], ["x"]]
    assert answers[0]["id"] != answers[1]["id"]


@pytest.mark.parametrize("headers", [
    {}, {"Content-Type": "text/plain"},
    {"Content-Type": "application/json; charset=utf-8"},
    {"Content-Type": "application/x-www-form-urlencoded"},
    {**JSON, "Accept": "text/html"}, {**JSON, "Range": "bytes=0-1"},
    {**JSON, "If-None-Match": "*"}, {**JSON, "Accept-Encoding": "gzip"},
    {**JSON, "X-Trace": "x" * 4000}, {**JSON, "Proxy": "http://evil/"},
], ids=str)
def test_headers_that_change_nothing(client: Client,
                                     headers: dict[str, str]) -> None:
    reply = client.request("POST", "/", '{"code": "1 + 1"}', headers)
    assert reply.status == 200
    assert reply.header("Content-Encoding") is None
    assert reply.json()["final_expression"] == 2


def test_chunked_request(client: Client) -> None:
    body = json.dumps({"code": "40 + 2"}).encode()
    pieces = [head("POST", "/", {"Host": "x", "Transfer-Encoding": "chunked",
                                 **JSON, **client.credentials()})]
    pieces += [b"%x\r\n%b\r\n" % (1, body[i:i + 1])
               for i in range(len(body))]
    out = client.raw(pieces + [b"0\r\n\r\n"])
    assert out.startswith(b"HTTP/1.1 200") and b'"final_expression":42' in out


def test_query_is_ignored(client: Client) -> None:
    for query in ("?code=2", "?%00", "?%zz", "?a=1&a=2", "?" + "x" * 3000):
        reply = client.request("POST", "/" + query, '{"code": "1 + 1"}', JSON)
        assert reply.json()["final_expression"] == 2, query


# -- credentials


def credentials(token: str, name: str = "x") -> dict[str, dict[str, str]]:
    """Every form in which a token may come, as headers."""
    basic = b64(f"{name}:{token}")
    return {
        "bearer": {"Authorization": "Bearer " + token},
        "bearer lower": {"Authorization": "bearer " + token},
        "bearer upper": {"Authorization": "BEARER " + token},
        "x-auth-token": {"X-Auth-Token": token},
        "x-api-key": {"X-Api-Key": token},
        "x-access-token": {"X-Access-Token": token},
        "basic": {"Authorization": "Basic " + basic},
    }


FORMS = list(credentials(""))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_credential(client: Client, stranger: Client,
                                  settings: Settings, form: str) -> None:
    if form == "basic" and settings.name is None:
        pytest.skip("TERRARIUM_CLIENT, the name of the token, is not set")
    sent = credentials(client.token or "", settings.name or "")[form]
    reply = stranger.request("POST", "/", '{"code": "1 + 1"}',
                             {**JSON, **sent})
    assert reply.status == 200, reply.body
    assert reply.json()["final_expression"] == 2


def check_unauthorized(reply: Reply, token: str) -> None:
    if reply.status == 429:  # failures have a rate limit of their own
        return
    check_json_error(reply, 401)
    assert (reply.header("WWW-Authenticate") or "").startswith("Bearer")
    assert token.encode() not in reply.body


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("spoil", [
    lambda t: "", lambda t: t[:-1], lambda t: t + "x", lambda t: "x" * 64,
    lambda t: t.swapcase(), lambda t: t[::-1]],
    ids=["empty", "cut", "longer", "other", "case", "reversed"])
def test_wrong_credential(client: Client, stranger: Client, form: str,
                          spoil: Any) -> None:
    token = client.token or ""
    wrong = spoil(token)
    assert wrong != token
    reply = stranger.request("POST", "/", '{"code": "1 + 1"}',
                             {**JSON, **credentials(wrong)[form]})
    check_unauthorized(reply, token)


@pytest.mark.parametrize("headers", [
    {}, {"Authorization": "Bearer"}, {"Authorization": ""},
    {"Authorization": "Digest x"}, {"Authorization": "Bearer \u00ff\u00fe"},
    {"Authorization": "Basic !!!"}, {"Authorization": "Bearer a b c"},
    {"Cookie": "token=x"}, {"Authorization": "Bearer " + "x" * 7000},
], ids=lambda h: str(h)[:40])
def test_no_credential(client: Client, stranger: Client,
                       headers: dict[str, str]) -> None:
    reply = stranger.request("POST", "/", '{"code": "1 + 1"}',
                             {**JSON, **headers})
    check_unauthorized(reply, client.token or "")


def test_token_in_the_query_is_none(client: Client,
                                    stranger: Client) -> None:
    reply = stranger.request("POST", f"/?token={client.token}",
                             '{"code": "1"}', JSON)
    check_unauthorized(reply, client.token or "")


@pytest.mark.parametrize("path", ["/packages", "/available-packages",
                                  "/stop"])
def test_other_paths_want_a_credential(client: Client, stranger: Client,
                                       path: str) -> None:
    reply = stranger.request("GET", path)
    check_unauthorized(reply, client.token or "")


# -- sizes


def test_too_large_by_its_header(client: Client) -> None:
    """Refused from the Content-Length alone: no body was sent."""
    out = client.raw(head("POST", "/", {"Host": "x", **JSON,
                                        **client.credentials()},
                          1 << 40))
    assert out.startswith(b"HTTP/1.1 413"), out[:200]
    assert json.loads(out.partition(b"\r\n\r\n")[2])["error"]["code"]


@pytest.mark.parametrize("size, status", [(BODY_LIMIT, 200),
                                          (BODY_LIMIT + 1, 413)])
def test_body_at_the_limit(client: Client, size: int, status: int) -> None:
    body = b'{"code": "1 + 1", "unknown": "'
    body += b"x" * (size - len(body) - 2) + b'"}'
    assert len(body) == size
    reply = client.request("POST", "/", body, JSON, timeout=120)
    assert reply.status == status, reply.body[:300]
    if status == 413:
        check_json_error(reply, 413)


def test_content_length_and_body_disagree(client: Client) -> None:
    short = head("POST", "/", {"Host": "x", **JSON, **client.credentials()},
                 3) + b'{"code": "1"}'
    out = client.raw(short)
    assert out.startswith(b"HTTP/1.1 400"), out[:200]


@pytest.mark.parametrize("lines", [
    b"Content-Length: 5\r\nContent-Length: 6\r\n", b"Content-Length: -1\r\n",
    b"Content-Length: +5\r\n", b"Content-Length: 9999999999999999999999\r\n",
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: gzip\r\n", b"X: a\0b\r\n"])
def test_broken_framing(client: Client, lines: bytes) -> None:
    auth = f"Authorization: Bearer {client.token}\r\n".encode()
    out = client.raw(b"POST / HTTP/1.1\r\nHost: x\r\n" + auth + lines +
                     b"Connection: close\r\n\r\nhello")
    assert re.match(rb"HTTP/1\.1 (400|411|413|501) ", out), out[:200]


# -- other paths and methods


def test_page_for_a_browser(stranger: Client) -> None:
    reply = stranger.request("GET", "/", headers={"Accept": "text/html"})
    assert reply.status == 200
    assert (reply.header("Content-Type") or "").startswith("text/html")
    assert b"Terrarium" in reply.body and len(reply.body) < 64 * 1024


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_health(stranger: Client, method: str) -> None:
    reply = stranger.request(method, "/health")
    assert reply.status == 200
    assert reply.body == (b"hi!" if method == "GET" else b"")


@pytest.mark.parametrize("path", ["/nothing", "/execute2", "/packages/x",
                                  "/index.php", "/.git/config", "/a%0ab",
                                  "/" + "x" * 2000, "/.status", "/metrics"])
def test_unknown_path(client: Client, path: str) -> None:
    check_json_error(client.request("GET", path), 404)


@pytest.mark.parametrize("method, path", [
    ("PUT", "/"), ("DELETE", "/"), ("PATCH", "/"), ("BREW", "/"),
    ("POST", "/health"), ("DELETE", "/packages"),
    ("PUT", "/available-packages"), ("GET", "/forbidden-packages")])
def test_method_not_allowed(client: Client, method: str, path: str) -> None:
    reply = client.request(method, path)
    check_json_error(reply, 405)
    allowed = re.split(r",\s*", reply.header("Allow") or "")
    assert allowed and all(allowed) and method not in allowed


@pytest.mark.parametrize("line", [
    b"TRACE / HTTP/1.1", b"get / HTTP/1.1", b"GET / HTTP/9.9",
    b"GET /\x01 HTTP/1.1", b"GET", b"\x16\x03\x01"])
def test_broken_request_line(client: Client, line: bytes) -> None:
    out = client.raw(line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert re.match(rb"HTTP/1\.1 (400|405|505)|$|<|\{", out), out[:200]


def test_long_header_line(client: Client) -> None:
    reply = client.request("POST", "/", '{"code": "1"}',
                           {**JSON, "X-Long": "x" * 40000})
    check_json_error(reply, reply.status)
    assert reply.status in (400, 431, 494)


def test_compressed_request_is_refused(client: Client) -> None:
    reply = client.request("POST", "/", b"\x1f\x8b\x08",
                           {**JSON, "Content-Encoding": "gzip"})
    check_json_error(reply, 415)


def test_packages(client: Client) -> None:
    reply = client.request("GET", "/packages")
    assert reply.status == 200
    packages = reply.json()["packages"]
    names = [item["name"] for item in packages]
    assert names == sorted(names, key=names.index) and len(names) > 0
    for item in packages:
        assert set(item) == {"name", "version", "preloaded"}
        assert type(item["preloaded"]) is bool
    preloaded = {i["name"].lower() for i in packages if i["preloaded"]}
    assert "numpy" in preloaded
    short = client.request("GET", "/available-packages").json()
    assert short == {"packages": names}


def test_forbidden_packages(client: Client) -> None:
    reply = client.request("POST", "/forbidden-packages",
                           '{"packages": ["numpy", "os"]}', JSON)
    assert reply.status == 200
    assert reply.json() == {"packages": ["numpy", "os"]}
    assert client.value("import numpy\n1") == 1


def test_stop_has_no_effect(client: Client) -> None:
    running = client.begin("import time\ntime.sleep(0.3)\n'ran on'")
    reply = client.request("GET", "/stop")
    assert reply.status == 200
    assert finish(running).json()["final_expression"] == "ran on"
    assert client.value("1 + 1") == 2


def test_expect_continue(client: Client) -> None:
    body = b'{"code": "40 + 2"}'
    with client.socket() as sock:
        sock.sendall(head("POST", "/", {"Host": "x", **JSON,
                                        "Expect": "100-continue",
                                        **client.credentials()}, len(body)))
        first = sock.recv(65536)
        assert first.startswith(b"HTTP/1.1 100"), first[:200]
        sock.sendall(body)
        out = b""
        while True:
            got = sock.recv(65536)
            if not got:
                break
            out += got
    assert b'"final_expression":42' in out


def test_connection_kept(client: Client) -> None:
    """Several requests on one connection, good and bad, in order; the
    server may close between two of them."""
    codes = ["1", "1 / 0", "2", "import os; os._exit(1)", "3"]
    values = []
    connection = client.connection(20)
    for code in codes:
        connection.request("POST", "/", json.dumps({"code": code}),
                           {**JSON, **client.credentials()})
        answer = json.loads(connection.getresponse().read())
        values.append(answer.get("final_expression"))
    connection.close()
    assert values == [1, None, 2, None, 3]


def test_slow_body(client: Client) -> None:
    body = b'{"code": "40 + 2"}'
    with client.socket() as sock:
        sock.sendall(head("POST", "/", {"Host": "x", **JSON,
                                        **client.credentials()}, len(body)))
        for at in range(len(body)):
            sock.sendall(body[at:at + 1])
            time.sleep(0.01)
        sock.settimeout(20)
        out = b""
        while True:
            got = sock.recv(65536)
            if not got:
                break
            out += got
    assert b'"final_expression":42' in out


def test_body_that_never_comes_holds_nobody(client: Client) -> None:
    socks: list[socket.socket] = []
    try:
        for _ in range(20):
            sock = client.socket()
            sock.sendall(head("POST", "/", {"Host": "x", **JSON,
                                            **client.credentials()}, 100))
            socks.append(sock)
        best_of_three(lambda: client.run("1 + 1").seconds, 1)
        assert client.value("1 + 1") == 2
    finally:
        for sock in socks:
            sock.close()


def test_status_is_not_for_everybody(stranger: Client) -> None:
    for path in ("/status", "/metrics"):
        reply = stranger.request("GET", path)
        assert reply.status in (401, 404), path
