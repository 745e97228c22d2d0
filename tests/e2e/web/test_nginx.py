"""nginx.conf.example in a real nginx: credentials and forwarding.

Behind nginx stands fastcgi_echo.py, which shows a worker's view.
"""

import base64
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from typing import Dict, Iterator, List, Optional, Tuple

import pytest

# pylint: disable=wrong-import-position
from nginx_harness import (  # noqa: E402
    SOURCE, Nginx, assert_error, assert_headers, load_local, running)

# The tests of all else come without a token faster than a stranger may.
PATIENT = (("zone=stranger_rate:10m rate=5r/s",
            "zone=stranger_rate:10m rate=1000r/s"),)


@pytest.fixture(name="nginx", scope="module")
def nginx_fixture() -> Iterator[Nginx]:
    with running(PATIENT) as nginx:
        yield nginx


def basic(pair: str) -> str:
    return "Basic " + base64.b64encode(pair.encode()).decode()


# --- Credentials -----------------------------------------------------------

@pytest.mark.parametrize("name, form", [
    ("Authorization", "Bearer {}"),
    ("Authorization", "bearer {}"),
    ("Authorization", "BEARER  {}"),
    ("X-Auth-Token", "{}"),
    ("X-Api-Key", "{}"),
    ("X-Access-Token", "{}"),
    ("x-api-key", "{}"),
])
def test_credentials(nginx: Nginx, name: str, form: str) -> None:
    for client, token in list(nginx.tokens.items()):
        reply = nginx.ask(headers={name: form.format(token)}, token=None)
        assert reply.status == 200
        assert reply.json()["params"]["TERRARIUM_CLIENT"] == client


def test_basic_credential(nginx: Nginx) -> None:
    token = nginx.tokens["alice"]
    for scheme in ("Basic", "basic"):
        header = basic(f"alice:{token}").replace("Basic", scheme)
        reply = nginx.ask(headers={"Authorization": header}, token=None)
        assert reply.status == 200
        assert reply.json()["params"]["TERRARIUM_CLIENT"] == "alice"


def refused_headers(token: str) -> List[Dict[str, str]]:
    pair = basic(f"alice:{token}")
    return [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": token},
        {"Authorization": f"Bearer {token[:-1]}"},
        {"Authorization": f"Bearer {token}0"},
        {"Authorization": f"Bearer {token} {token}"},
        {"Authorization": f"Bearer {token}, {pair}"},
        {"Authorization": f"Digest {token}"},
        {"Authorization": f"Bearer {token}|alice"},
        {"Authorization": f"Bearer {token}|{token}|alice"},
        {"Authorization": f"Basic {token}"},
        {"Authorization": basic(f":{token}")},
        {"Authorization": basic(f"bob:{token}")},
        {"Authorization": basic(f"alice:{token}x")},
        {"X-Api-Key": f"Bearer {token}"},
        {"X-Api-Key": f"x|{token}|alice"},
        {"X-Api-Key": "x|x|alice"},
        {"X-Api-Key": f"{token}|{token}|alice"},
        {"X-Api-Key": "default"},
        {"X-Api-Key": "~.*"},
        {"X-Api-Key": "\xff\xfe"},
        {"X-Other": token},
        {"Authorization": "Bearer " + "f" * 64},
        {"Authorization": "Bearer " + "f" * 7000},
        {"Authorization": "Bearer wrong", "X-Api-Key": token},
    ]


def test_wrong_credentials(nginx: Nginx) -> None:
    for headers in refused_headers(nginx.tokens["alice"]):
        reply = nginx.ask(headers=headers, token=None)
        assert_error(reply, 401, "unauthorized")


def test_case_of_a_token_counts(nginx: Nginx) -> None:
    """nginx looks words up without regard to case; we must not."""
    token = nginx.tokens["alice"]
    pair = basic(f"alice:{token}")[6:]
    assert token.upper() != token and pair.swapcase() != pair
    for header in (f"Bearer {token.upper()}", f"Basic {pair.swapcase()}",
                   f"Basic {pair.lower()}", basic(f"ALICE:{token}")):
        reply = nginx.ask(headers={"Authorization": header}, token=None)
        assert_error(reply, 401, "unauthorized")


def test_stranger_is_refused_before_the_body(nginx: Nginx) -> None:
    """No byte of the body has been sent when the answer comes."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n"
    with nginx.tls().wrap_socket(
            socket.create_connection(("127.0.0.1", nginx.port), 5),
            server_hostname="localhost") as peer:
        peer.sendall(head)
        assert peer.recv(100).startswith(b"HTTP/1.1 401 ")


def test_new_token_after_reload(nginx: Nginx) -> None:
    token = nginx.add_token("carol")
    header = {"Authorization": f"Bearer {token}"}
    assert nginx.ask(headers=header, token=None).status == 401
    nginx.reload()
    reply = nginx.ask(headers=header, token=None)
    assert reply.json()["params"]["TERRARIUM_CLIENT"] == "carol"


# --- Forwarding ------------------------------------------------------------

def test_what_a_worker_is_told(nginx: Nginx) -> None:
    reply = nginx.ask(path="/?query=1", body={"code": "1"}, headers={
        "Accept": "text/event-stream", "Content-Type": "text/x-odd",
        "Proxy": "http://evil", "X-Secret": "s", "Cookie": "c=d",
        "Request-Id": "forged", "Terrarium-Client": "root"})
    answer = reply.json()
    params = answer["params"]
    assert abs(float(params.pop("REQUEST_MSEC")) - time.time()) < 60
    params.pop("HTTP_PROXY", "")
    assert re.fullmatch(r"alice\|[0-9a-f]{16}",
                        params.pop("TERRARIUM_OWNER"))
    assert params == {
        "REQUEST_METHOD": "POST", "DOCUMENT_URI": "/", "QUERY_STRING": "",
        "CONTENT_TYPE": "text/x-odd", "CONTENT_LENGTH": "13",
        "HTTP_ACCEPT": "text/event-stream", "HTTP_CONTENT_ENCODING": "",
        "HTTP_SESSION_MUST_EXIST": "", "QUERY_STRING": "",
        "REQUEST_ID": reply.one("X-Request-Id"), "TERRARIUM_CLIENT": "alice"}
    assert answer["body"] == '{"code": "1"}'
    assert nginx.tokens["alice"] not in reply.body.decode()


def test_a_query_is_handed_on_and_not_logged(nginx: Nginx) -> None:
    """Only where paths have one."""
    for path in ("execute", "release", "files/export"):
        reply = nginx.ask(path=f"/api/v1/{path}?user_uuid=a%20b&c",
                          body={"code": "1"})
        assert reply.json()["params"]["QUERY_STRING"] == "user_uuid=a%20b&c"
        assert reply.json()["params"]["DOCUMENT_URI"] == "/api/v1/" + path
        assert "uuid" not in str(nginx.logged(
            reply.one("X-Request-Id")))


def test_a_503_of_a_crash_invites_no_repetition(nginx: Nginx) -> None:
    """On /api/v1/, where a refusal of a worker says when to come back."""
    body = {"status": 503, "text": "{}"}
    reply = nginx.ask(path="/api/v1/execute?user_uuid=1", body=body)
    assert reply.status == 503 and reply.all("Retry-After") == []
    reply = nginx.ask(path="/api/v1/execute?user_uuid=1",
                      body={**body, "headers": ["Retry-After: 1"]})
    assert reply.status == 503 and reply.all("Retry-After") == ["1"]
    reply = nginx.ask(path="/execute", body=body)
    assert reply.status == 503 and reply.all("Retry-After") == ["1"]


def test_answer_headers(nginx: Nginx) -> None:
    """The worker's own id, cookies and orders to nginx do not get through;
    its other headers do."""
    reply = nginx.ask(body={"text": "x", "headers": [
        "X-Accel-Redirect: /.page", "X-Accel-Expires: 5", "Set-Cookie: a=b",
        "X-Accel-Limit-Rate: 1", "Cache-Control: public", "X-Kept: yes"]})
    assert (reply.status, reply.body) == (200, b"x")
    assert_headers(reply)
    assert reply.one("X-Request-Id") != "of-the-worker"
    assert reply.one("X-Kept") == "yes"
    assert reply.one("Strict-Transport-Security") == "max-age=31536000"
    assert reply.all("Set-Cookie") == []
    assert [name for name, _ in reply.headers
            if name.lower().startswith("x-accel")] == []


@pytest.mark.parametrize("path, told", [
    ("/", "POST"), ("/forbidden-packages", "POST"), ("/packages", "GET"),
    ("/available-packages", "GET"), ("/stop", "GET"),
    ("/packages", "HEAD"),
])
def test_routes(nginx: Nginx, path: str, told: str) -> None:
    reply = nginx.ask(told, path)
    assert reply.status == 200
    assert_headers(reply)
    if told == "HEAD":
        got = nginx.ask("GET", path)  # and the worker is told so
        assert reply.body == b""
        assert reply.one("Content-Length") == got.one("Content-Length")
        return
    assert reply.json()["params"]["REQUEST_METHOD"] == told
    assert reply.json()["params"]["DOCUMENT_URI"] == path
    assert_error(nginx.ask(told, path, token=None), 401, "unauthorized")


@pytest.mark.parametrize("path", [
    "/nope", "/.status", "/metrics", "/PACKAGES", "/packages/", "/./x",
    "/.error", "/.page", "/.authenticate", "/healthz/", "/healthzz",
    "/packages%0a", "/packages;x", "/tokens.map", "/etc/passwd",
    "///", "///stop", "//stop//", "//stop/", "/stop//", "//%2f", "/%2F",
    "/%2Fstop", "//x", "//run", "//execute", "//fork", "//release",
    "//status", "//metrics", "//healthz", "//.status", "//.page", "//.error",
    "//api/ai/python-execute", "//STOP", "//stop%0a", "//stop;x", "/x//stop",
    "/health//", "//health//", "/health/x", "/./health/x", "/healthz/",
])
def test_unknown_paths(nginx: Nginx, path: str) -> None:
    for method in ("GET", "POST"):
        for token in (None, "alice"):
            reply = nginx.ask(method, path, token=token)
            assert_error(reply, 404, "not_found")


@pytest.mark.parametrize("method, path, allow", [
    ("PUT", "/", "GET, HEAD, POST"), ("DELETE", "/", "GET, HEAD, POST"),
    ("OPTIONS", "/", "GET, HEAD, POST"), ("BREW", "/", "GET, HEAD, POST"),
    ("POS", "/", "GET, HEAD, POST"), ("TRACE", "/", "GET, HEAD, POST"),
    ("POST", "/packages", "GET, HEAD"), ("POST", "/health", "GET, HEAD"),
    ("GET", "/forbidden-packages", "POST"),
])
def test_unknown_methods(nginx: Nginx, method: str, path: str,
                         allow: str) -> None:
    for token in (None, "alice"):
        reply = nginx.ask(method, path, token=token)
        assert_error(reply, 405, "method_not_allowed")
        assert reply.one("Allow") == allow


@pytest.mark.parametrize("method, path, single", [
    ("POST", "//", "/"), ("GET", "//stop", "/stop"),
    ("GET", "//stop?x=//", "/stop"), ("GET", "//packages", "/packages"),
    ("GET", "//available-packages", "/available-packages"),
    ("POST", "//forbidden-packages", "/forbidden-packages"),
    ("GET", "//health", "/health"), ("GET", "/health/", "/health"),
    ("GET", "//health/", "/health"),
])
def test_one_slash_more(nginx: Nginx, method: str, path: str,
                        single: str) -> None:
    """Clients of the native API put its paths behind the address that they
    are given, which may end with a slash: https://HOST//stop. All other paths
    with two slashes are still 404 (test_unknown_paths)."""
    reply = nginx.ask(method, path)
    assert reply.status == 200, reply.body
    assert reply.json()["params"]["DOCUMENT_URI"] == single
    assert reply.json()["params"]["REQUEST_METHOD"] == method
    assert_headers(reply)
    reply = nginx.ask(method, path, token=None)
    if single == "/health":
        assert reply.status == 200
    else:
        assert_error(reply, 401, "unauthorized")
    other = "POST" if method == "GET" else "PUT"
    assert_error(nginx.ask(other, path), 405, "method_not_allowed")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accept, kind", [
    ("text/html,application/xhtml+xml,*/*;q=0.8", "page"), (None, "page"),
    ("application/json, text/html", "page"),
    ("application/json", "json"), ("Application/JSON;q=0.9, */*", "json"),
    ("*/*", "health"), ("text/plain", "health"),
])
def test_front(nginx: Nginx, method: str, accept: Optional[str],
               kind: str) -> None:
    """GET / is a page, a list of what the server offers, or says that it is
    well, by what the client accepts."""
    headers = {} if accept is None else {"Accept": accept}
    for path in ("/", "/?x", "//"):
        reply = nginx.ask(method, path, headers=headers)
        assert reply.status == 200
        assert_headers(reply)
        page = reply.one("Content-Type") == "text/html; charset=utf-8"
        assert page == (kind == "page")
        if method == "GET" and not page:
            assert reply.json()["params"]["DOCUMENT_URI"] == \
                {"json": "/", "health": "/healthz"}[kind]
        reply = nginx.ask(method, path, headers=headers, token=None)
        assert reply.status == (401 if kind == "json" else 200)


def test_page(nginx: Nginx) -> None:
    reply = nginx.ask("GET", "/?x", token=None)
    assert reply.status == 200
    assert reply.one("Content-Type") == "text/html; charset=utf-8"
    assert b"<h1>Terrarium</h1>" in reply.body
    assert b'"{\\"code\\": \\"1 + 1\\"}"' in reply.body
    assert_headers(reply)
    assert nginx.ask("HEAD", "/", token=None).body == b""


def test_health(nginx: Nginx) -> None:
    """Asked of the status socket, without a token and without a body."""
    nginx.stop_echo()
    try:
        for path in ("/health", "/healthz", "/openapi.json"):
            reply = nginx.ask("GET", path, b"x" * 500, token=None)
            params = reply.json()["params"]
            assert params["DOCUMENT_URI"] == path
            assert params["CONTENT_LENGTH"] == ""
            assert reply.json()["body_size"] == 0
            assert_headers(reply)
        assert_error(nginx.ask("GET", "/health", b"x" * 2000, token=None),
                     413, "too_large")
    finally:
        nginx.start_echo()


def test_operator_port(nginx: Nginx) -> None:
    port = nginx.status_port
    for path in ("/status", "/metrics", "/health", "/healthz"):
        reply = nginx.ask("GET", path, token=None, port=port)
        assert reply.json()["params"]["DOCUMENT_URI"] == path
        assert reply.all("Strict-Transport-Security") == []
        assert_headers(reply)
        reply = nginx.ask("POST", path, token=None, port=port)
        assert_error(reply, 405, "method_not_allowed")
    for path in ("/", "/packages", "/.error"):
        for method in ("GET", "POST"):
            reply = nginx.ask(method, path, port=port)
            assert_error(reply, 404, "not_found")


# --- Transport and log -----------------------------------------------------

def curl(nginx: Nginx, *options: str) -> str:
    done = subprocess.run(
        ["curl", "-sS", "--cacert", str(nginx.certificate), *options],
        check=True, stdout=subprocess.PIPE, timeout=30)
    return done.stdout.decode()


def test_http2(nginx: Nginx) -> None:
    url = f"https://127.0.0.1:{nginx.port}/"
    told = curl(nginx, "--http2", "-o", os.devnull, "-d", "{}", "-w",
                "%{http_version} %{http_code}", "-H",
                f"Authorization: Bearer {nginx.tokens['alice']}", url)
    assert told == "2 200"
    told = curl(nginx, "--http2", "-d", "{}", url)
    assert told.startswith('{"success":false,"error":{"type":"unauthorized"')


@pytest.mark.parametrize("version, listens", [
    ("nginx/1.22.1", " ssl http2;"),
    ("nginx/1.24.0 (Ubuntu)", " ssl http2;"),
    ("nginx/1.25.0", " ssl http2;"),
    ("nginx/1.25.1", " ssl; http2 on;"),
    ("nginx/1.26.3", " ssl; http2 on;"),
    ("nginx/1.100", " ssl; http2 on;"),
    ("nginx/1.9.15", " ssl http2;"),
    ("from no release", " ssl http2;"),
])
def test_http2_is_told_to_each_version_in_its_words(
        tmp_path: pathlib.Path, version: str, listens: str) -> None:
    fake = tmp_path / "nginx"
    fake.write_text(f'#!/bin/sh\n[ "$*" = -v ] && '
                    f'echo "nginx version: {version}" >&2\n')
    fake.chmod(0o755)
    local = load_local()
    local.PREFIX = tmp_path
    local.Local().write_nginx_conf(str(fake))
    text = (tmp_path / "nginx.conf").read_text()
    assert re.findall(r"^\s+listen [0-9.]+:8443(.*)$", text, re.M) == \
        [listens]


def test_no_warning_at_start(nginx: Nginx) -> None:
    assert "[warn]" not in nginx.error_log()


def test_credential_in_the_url(nginx: Nginx) -> None:
    place = f"127.0.0.1:{nginx.port}/"
    told = curl(nginx, "-d", "{}",
                f"https://bob:{nginx.tokens['bob']}@{place}")
    assert '"TERRARIUM_CLIENT": "bob"' in told


def tls_only(nginx: Nginx, version: ssl.TLSVersion) -> ssl.SSLContext:
    context = nginx.tls()
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    return context


def handshake(nginx: Nginx, context: ssl.SSLContext,
              session: Optional[ssl.SSLSession] = None) -> Tuple[
                  Optional[str], Optional[ssl.SSLSession], Optional[bool]]:
    """Version, session, and whether the session was one before."""
    with socket.create_connection(("127.0.0.1", nginx.port), 5) as plain:
        with context.wrap_socket(plain, server_hostname="localhost",
                                 session=session) as peer:
            # A peer that has answered has finished the handshake, too, and
            # keeps the session.
            peer.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
            assert peer.recv(4) == b"HTTP"
            return peer.version(), peer.session, peer.session_reused


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tls_versions(nginx: Nginx) -> None:
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        made = handshake(nginx, tls_only(nginx, version))[0]
        assert made == version.name.replace("_", ".")
    with pytest.raises(ssl.SSLError):
        handshake(nginx, tls_only(nginx, ssl.TLSVersion.TLSv1_1))


def test_tls_session_is_kept(nginx: Nginx) -> None:
    context = tls_only(nginx, ssl.TLSVersion.TLSv1_2)
    _, session, reused = handshake(nginx, context)
    assert not reused
    assert handshake(nginx, context, session)[2]


def test_log_has_no_secrets(nginx: Nginx) -> None:
    token = nginx.tokens["alice"]
    reply = nginx.ask("POST", f"/?token={token}", {"text": "x"})
    line = nginx.logged(reply.one("X-Request-Id"))
    assert line["client"] == "alice" and line["status"] == 200
    assert (line["method"], line["path"]) == ("POST", "/")
    assert line["worker_status"] == "200"
    assert float(line["time_s"]) >= 0
    reply = nginx.ask("PUT", f"/x%22?{token}", token=None)
    line = nginx.logged(reply.one("X-Request-Id"))
    assert (line["method"], line["path"]) == ("PUT", "/x%22")
    assert (line["client"], line["status"]) == ("", 404)
    text = pathlib.Path(nginx.path("log", "access.log")).read_text()
    for secret in nginx.tokens.values():
        assert secret not in text
        assert base64.b64encode(secret.encode()).decode()[:20] not in text


def test_log_survives_odd_bytes(nginx: Nginx) -> None:
    for path in (b"/\xff\xfe\xc3", b'/"\\', b"/" + b"a" * 3000, b"/#x?y"):
        nginx.send_raw(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n"
                       b"Connection: close\r\n\r\n")
    nginx.send_raw(b"\xff\xff\xff\r\n\r\n")
    nginx.logged(nginx.ask().one("X-Request-Id"))
    assert max(len(line["path"]) for line in nginx.access_log()) <= 256


# --- The two configurations agree ------------------------------------------

def test_numbers_that_follow_terrarium_conf() -> None:
    text = (SOURCE / "conf" / "terrarium.conf").read_text()
    options = dict(line.split(" = ", 1) for line in text.splitlines()
                   if " = " in line and not line.startswith("#"))
    example = (SOURCE / "nginx.conf.example").read_text()
    assert f"\tclient_max_body_size {options['body_mb']}m;" in example
    seconds = int(options["timeout_ms"]) // 1000
    # From a session's knock to its wake, copy, end and roll-back: each is
    # waited for.
    header = (SOURCE / "sandbox" / "guest" / "session.h").read_text()
    settle = int(header.split("#define SESSION_SETTLE_MS ")[1].split()[0])
    settle = 4 * settle // 1000
    words = " ".join(example.replace("#", " ").split())
    assert (f"wait for a worker (30 s) + timeout_ms ({seconds} s) for the"
            in words)
    assert f"timeout_ms ({seconds} s) for its run + {settle} s" in words
    assert (f"\tfastcgi_read_timeout {30 + 2 * seconds + settle + 5}s;"
            in example)
    seconds = int(options["code_interpreter_timeout_ms"]) // 1000
    assert f"code_interpreter_timeout_ms ({seconds} s) for the calls" in words
    assert (f"\tfastcgi_read_timeout {30 + 2 * seconds + settle + 5}s;"
            in example)
    for socket_name in ("socket", "status_socket"):
        assert f"server unix:{options[socket_name]};" in example


def test_documented_substitutions_work() -> None:
    """Each sed expression in the head changes something below it."""
    lines = (SOURCE / "nginx.conf.example").read_text().splitlines()
    rules = [line.split("'")[1] for line in lines if " 's#" in line]
    config = "\n".join(line for line in lines if not line.startswith("#"))
    assert len(rules) == 15
    for rule in rules:
        done = subprocess.run(["sed", "-e", rule], input=config.encode(),
                              check=True, stdout=subprocess.PIPE)
        assert done.stdout.decode().rstrip("\n") != config, rule


# --- The real server, where there is one -----------------------------------

@pytest.mark.skipif("TERRARIUM_URL" not in os.environ,
                    reason="no server is running")
def test_real_server() -> None:
    context = ssl.create_default_context(
        cafile=os.environ.get("TERRARIUM_CACERT"))
    request = urllib.request.Request(
        os.environ["TERRARIUM_URL"], b'{"code": "1 + 1"}',
        {"Authorization": f"Bearer {os.environ['TERRARIUM_TOKEN']}"})
    with urllib.request.urlopen(request, context=context) as reply:
        assert b'"success":true' in reply.read().replace(b" ", b"")
        assert len(reply.headers.get_all("X-Request-Id")) == 1
