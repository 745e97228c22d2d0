"""The client and servers that are slow, broken, false or hostile."""

from __future__ import annotations

import os
import socket
import threading
import time
import traceback
from pathlib import Path
from typing import Any, Callable

import pytest
import terrarium as module
from odd_server import OK, Visit, hang_up, odd_server
from terrarium import (BadReply, BadRequest, Busy, ConnectionBroke, Forbidden,
                       NotFound, Refused, ReplyLate, ServerFailed, Terrarium,
                       TerrariumError, TooLarge, TooManyRequests,
                       Unauthorized, Unreachable, Untrusted)

TOKEN = "token-5e1f0c77ab"


def ok(visit: Visit) -> None:
    visit.reply(OK)


def client(url: str, **options: Any) -> Terrarium:
    return Terrarium(url, TOKEN, **{"wait": 10, **options})


# -- TLS


@pytest.mark.parametrize("name, expired, trusted, why", [
    ("IP:127.0.0.1", False, False, "self.signed"),
    ("DNS:elsewhere.example", False, True, "not valid for '127.0.0.1'"),
    ("IP:127.0.0.1", True, True, "expired")],
    ids=["stranger", "other name", "expired"])
def test_a_bad_certificate_is_refused_before_anything_is_sent(
        certificate: Callable[..., Path], name: str, expired: bool,
        trusted: bool, why: str) -> None:
    pem = certificate(name, expired)
    with odd_server(ok, pem) as odd:
        with pytest.raises(Untrusted, match=why):
            client(odd.url, ca_file=pem if trusted else None).run("1")
        assert odd.connections == 1 and odd.visits == []


def test_a_certificate_that_is_named_is_trusted(
        certificate: Callable[..., Path]) -> None:
    pem = certificate("IP:127.0.0.1")
    with odd_server(ok, pem) as odd:
        assert client(odd.url, ca_file=pem).run("1").success
        with pytest.raises(TypeError):
            client(odd.url, verify=False)


def test_plain_http_is_for_this_machine_unless_asked_for() -> None:
    with pytest.raises(ValueError, match="plain http"):
        Terrarium("http://sandbox.example", TOKEN)
    Terrarium("http://sandbox.example", TOKEN, plain_http=True)
    Terrarium("http://localhost:1", TOKEN)


# -- replies that are no answers


def raw(data: bytes) -> Callable[[Visit], None]:
    def script(visit: Visit) -> None:
        visit.send(data)
        hang_up(visit)
    return script


def body(data: bytes, length: Any = None, status: str = "200 OK") -> bytes:
    length = len(data) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n" \
        .encode() + data


@pytest.mark.parametrize("data, kind", [
    (b"", ConnectionBroke),
    (body(b'{"success"', 1000), ConnectionBroke),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"s",
     ConnectionBroke),
    (body(b'{"success": true, "std_out": ""}', 10), BadReply),
    (b"HTTP/1.1 200 OK\r\nContent-", BadReply),
    (b"SSH-2.0-OpenSSH\r\n", BadReply),
    (b"HTTP/1.1 2OO OK\r\n\r\n", BadReply),
    (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n", BadReply),
    (b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100000 + b"\r\n\r\n", BadReply),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
     (BadReply, ConnectionBroke)),
    (body(b""), BadReply), (body(b"hi!"), BadReply), (body(b"[]"), BadReply),
    (body(b'{"success": true, "std_out": "\xff"}'), BadReply),
    (body(b'{"success": NaN}'), BadReply),
    (body(b"[" * 200000), BadReply),
    (body(b'{"success": true, "final_expression": ' + b"9" * 200000 + b"}"),
     BadReply),
    (body(b"{}", status="204 No Content"), BadReply)])
def test_what_is_no_answer_is_told_as_such(data: bytes, kind: Any) -> None:
    with odd_server(raw(data)) as odd:
        with pytest.raises(kind):
            client(odd.url).run("1")
        assert len(odd.visits) == 1  # it may have run: never sent again


@pytest.mark.parametrize("change", [
    {"success": "yes"}, {"success": None}, {"success": 1},
    {"std_out": 1}, {"std_err": []}, {"code_runtime": "1"},
    {"code_runtime": True}, {"id": 5}, {"usage": []},
    {"usage": {"cpu_ms": ""}},
    {"truncated": {"std_out": "much"}}, {"output_files": {}},
    {"output_files": ["x"]}, {"output_files": [{"filename": "x"}]},
    {"output_files": [{"filename": 1, "b64_data": ""}]},
    {"output_files": [{"filename": "x", "b64_data": "*"}]},
    {"results": "x"}, {"results": ["x"]},
    {"success": False}, {"success": False, "error": "bad"},
    {"success": False, "error": {"type": 1, "message": ""}}])
def test_a_field_of_the_wrong_type_is_named(change: Any) -> None:
    with odd_server(lambda visit: visit.reply({**OK, **change})) as odd:
        with pytest.raises(BadReply, match="answer's"):
            client(odd.url).run("1")


def test_integers_are_exact_at_any_size() -> None:
    digits = b"-" + b"1234567890" * 5000
    with odd_server(raw(body(b'{"success": true, "final_expression": '
                             + digits + b"}"))) as odd:
        value = client(odd.url).run("1").value
    expected = 0
    for _ in range(5000):
        expected = expected * 10 ** 10 + 1234567890
    assert value == -expected


@pytest.mark.parametrize("data", [
    body(b"x", 100 << 20),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 20,
    b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (2 << 20)])
def test_a_giant_answer_is_not_read(data: bytes) -> None:
    with odd_server(raw(data)) as odd:
        with pytest.raises(BadReply, match="max_reply_mb"):
            client(odd.url, max_reply_mb=1).run("1")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with odd_server(ok) as other, odd_server(lambda visit: visit.reply(
            b"", f"{status} Go", (f"Location: {other.url}/",))) as odd:
        with pytest.raises(BadReply, match="redirect"):
            client(odd.url).run("1")
        assert other.connections == 0


# -- time


@pytest.mark.parametrize("begin", [
    b"", b"HTTP/1.1 200 OK\r\nA: ", b"HTTP/1.1 200 OK\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"])
def test_an_answer_that_drips_ends_in_time(begin: bytes) -> None:
    def drip(visit: Visit) -> None:
        visit.send(begin)
        for _ in range(200):
            visit.send(b"1" if b"chunk" not in begin else b"1\r\nx\r\n")
            time.sleep(0.05)

    with odd_server(drip) as odd:
        begun = time.monotonic()
        with pytest.raises(ReplyLate, match="0.6 s"):
            client(odd.url, wait=0.1).run("1", timeout=0.5)
        assert time.monotonic() - begun < 3


def test_endless_interim_answers_end_in_time() -> None:
    def script(visit: Visit) -> None:
        while True:
            visit.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    with odd_server(script) as odd:
        with pytest.raises(ReplyLate):
            client(odd.url, wait=0.5).run("1")


def test_a_server_that_does_not_read_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ReplyLate):
            client(url, wait=0.5).run("1", files={"x": bytes(32 << 20)})


def test_a_tls_handshake_that_hangs_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(Unreachable):
            client(url, connect_timeout=0.2, retries=0).run("1")


# -- refusals, and retries


@pytest.mark.parametrize("status, kind", [
    (400, BadRequest), (401, Unauthorized), (403, Forbidden), (404, NotFound),
    (405, NotFound), (413, TooLarge), (415, BadRequest),
    (429, TooManyRequests), (500, ServerFailed), (503, Busy),
    (504, ServerFailed)])
def test_each_refusal_has_its_class(status: int, kind: Any) -> None:
    error = {"error": {"code": "some_word", "message": "why it is"},
             "id": "77"}
    with odd_server(lambda visit: visit.reply(error, f"{status} No")) as odd:
        with pytest.raises(kind, match="why it is") as caught:
            client(odd.url).run("1")
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.code, caught.value.id) == \
        (status, "some_word", "77")
    assert caught.value.retry_after is None


@pytest.mark.parametrize("answer", [
    b"", b"<html>Bad Gateway</html>", b"[1]", b'{"error": "x"}',
    b'{"error": {"message": 5}}', b'{"detail": [{"loc": ["a"]}]}'])
def test_a_refusal_in_any_shape_is_one(answer: bytes) -> None:
    with odd_server(lambda visit: visit.reply(answer, "500 No")) as odd:
        with pytest.raises(ServerFailed):
            client(odd.url).run("1")


@pytest.mark.parametrize("status", ["503 Busy", "429 Slow"])
def test_what_did_not_run_is_tried_again(status: str) -> None:
    def script(visit: Visit) -> None:
        if visit.number < 2:
            visit.reply({}, status, ("Retry-After: 0",))
        else:
            visit.reply(OK)

    with odd_server(script) as odd:
        assert client(odd.url).run("1").success
        assert len(odd.visits) == 3 and odd.connections == 1


def test_a_refusal_that_comes_before_all_was_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            sock, _ = listener.accept()
            with sock:
                sock.recv(1000)
                sock.sendall(body(b"{}", status="413 Too large"))

        thread = threading.Thread(target=refuse)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(TooLarge):
            client(url).run("1", files={"x": bytes(32 << 20)})
        thread.join()


@pytest.mark.parametrize("status, header, tries", [
    ("503 Busy", "Retry-After: 0", 3), ("503 Busy", "X: y", 1),
    ("503 Busy", "Retry-After: 3600", 1), ("503 Busy", "Retry-After: -1", 1),
    ("503 Busy", "Retry-After: Wed, 21 Oct 2065 07:28:00 GMT", 1),
    ("500 No", "Retry-After: 0", 1)])
def test_tries_are_bounded(status: str, header: str, tries: int) -> None:
    with odd_server(lambda visit: visit.reply({}, status, (header,))) as odd:
        with pytest.raises((Busy, ServerFailed)):
            client(odd.url, retries=2).run("1")
        assert len(odd.visits) == tries


def test_retry_after_is_told() -> None:
    with odd_server(lambda visit: visit.reply(
            {}, "503 Busy", ("Retry-After: 3600",))) as odd:
        with pytest.raises(Busy) as caught:
            client(odd.url).run("1")
    assert caught.value.retry_after == 3600


def test_a_run_in_a_session_is_not_tried_again() -> None:
    with odd_server(lambda visit: visit.reply(
            {}, "503 Busy", ("Retry-After: 0",))) as odd:
        session = client(odd.url).session("s")
        for ask in (lambda: session.run("1"), session.release, session.fork):
            with pytest.raises(Busy):
                ask()
        assert len(odd.visits) == 3


def test_a_server_that_comes_late_is_found() -> None:
    with socket.socket() as late:
        late.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{late.getsockname()[1]}"
        with pytest.raises(Unreachable, match="cannot be reached"):
            client(url, retries=0).run("1")

        def begin() -> None:
            time.sleep(0.15)
            late.listen()
            sock, _ = late.accept()
            with sock:
                sock.recv(65536)
                sock.sendall(body(b'{"success": true}'))

        thread = threading.Thread(target=begin)
        thread.start()
        assert client(url).run("1").success
        thread.join()


# -- secrets


def shown(error: BaseException) -> str:
    """All that a log holds of an exception."""
    return "".join(traceback.format_exception(type(error), error,
                                              error.__traceback__)) + \
        f"{error!r}{error.args}{vars(error)}"


@pytest.mark.parametrize("script", [
    lambda visit: visit.send(f"{TOKEN}\r\n\r\n"),
    lambda visit: visit.send(f"HTTP/1.1 {TOKEN} {TOKEN}\r\n\r\n"),
    lambda visit: visit.send(f"HTTP/1.1 200 OK\r\n{TOKEN}\r\n\r\n{TOKEN}"),
    lambda visit: visit.reply(TOKEN.encode(), "400 No"),
    lambda visit: visit.reply({"error": {"code": TOKEN, "message": TOKEN},
                               "id": TOKEN}, f"401 {TOKEN}"),
    lambda visit: visit.reply({"detail": [TOKEN]}, "400 No"),
    lambda visit: visit.reply(TOKEN.encode()),
    lambda visit: visit.reply({"success": TOKEN}),
    lambda visit: visit.reply(b"", "302 Go", (f"Location: /{TOKEN}",))])
def test_the_token_is_in_no_message(script: Any) -> None:
    def answer(visit: Visit) -> None:
        assert f"Authorization: Bearer {TOKEN}" in visit.head
        script(visit)
        hang_up(visit)

    with odd_server(answer) as odd:
        one = client(odd.url)
        with pytest.raises(TerrariumError) as caught:
            one.run("1")
    assert TOKEN not in shown(caught.value)
    assert TOKEN not in repr(one) + repr(one.session("s"))


def test_the_token_may_be_in_the_url_and_does_not_stay_there() -> None:
    with odd_server(ok) as odd:
        one = Terrarium(f"http://name:{TOKEN}@127.0.0.1:{odd.port}/at/")
        one.run("1")
        assert f"Authorization: Bearer {TOKEN}" in odd.visits[0].head
        assert odd.visits[0].head.startswith("POST /at/ HTTP/1.1")
    assert TOKEN not in repr(one)
    for url in (f"ftp://x:{TOKEN}@host", f"https://x:{TOKEN}@host:port",
                f"https://x:{TOKEN}@", f"https://x:{TOKEN}@host?a",
                f"https://x:{TOKEN}@[host"):
        with pytest.raises(ValueError) as caught:
            Terrarium(url)
        assert TOKEN not in shown(caught.value)


def test_no_token_is_no_header() -> None:
    with odd_server(ok) as odd:
        Terrarium(odd.url).run("1")
        assert "authorization" not in odd.visits[0].head.lower()


@pytest.mark.parametrize("token", ["a b", "a\r\nX: y", "ä", "a\0"])
def test_a_token_that_cannot_be_one_is_not_repeated(token: str) -> None:
    with pytest.raises(ValueError, match="printable") as caught:
        Terrarium("https://localhost", token)
    assert token not in str(caught.value)


def test_words_of_a_server_cannot_steer_a_terminal() -> None:
    error = {"error": {"code": "\x1b[2J", "message": "\x1b]0;x\x07\u202e"}}
    with odd_server(lambda visit: visit.reply(error, "400 No")) as odd:
        with pytest.raises(Refused) as caught:
            client(odd.url).run("1")
    assert str(caught.value).isprintable() and caught.value.code.isprintable()


# -- connections


def test_a_connection_is_used_again() -> None:
    with odd_server(ok) as odd, client(odd.url) as one:
        for _ in range(5):
            one.run("1")
        assert odd.connections == 1
        one.close()
        one.run("1")
        assert odd.connections == 2


def test_a_connection_that_was_closed_is_not_used() -> None:
    def script(visit: Visit) -> None:
        ok(visit)
        hang_up(visit)

    with odd_server(script) as odd:
        one = client(odd.url)
        for number in range(3):
            assert one.run("1").success
            time.sleep(0.05)
        assert odd.connections == 3 and len(odd.visits) == 3


def test_an_old_connection_is_not_used(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.05)
    with odd_server(ok) as odd:
        one = client(odd.url)
        one.run("1")
        time.sleep(0.1)
        one.run("1")
        assert odd.connections == 2


def test_a_connection_that_failed_is_not_used() -> None:
    def script(visit: Visit) -> None:
        visit.reply(b"" if visit.number == 0 else OK)

    with odd_server(script) as odd:
        one = client(odd.url, max_reply_mb=1)
        with pytest.raises(BadReply):
            one.run("1")
        one.run("1")
    with odd_server(lambda v: v.send(body(b"x" * 9))) as odd:
        one = client(odd.url, max_reply_mb=0)
        for _ in range(2):
            with pytest.raises(BadReply, match="max_reply_mb"):
                one.run("1")
        assert odd.connections == 2


def test_threads_share_a_client() -> None:
    def echo(visit: Visit) -> None:
        visit.reply({**OK, "std_out": visit.json()["code"]})

    with odd_server(echo) as odd:
        one = client(odd.url)
        wrong = []

        def work(name: int) -> None:
            for number in range(30):
                text = f"{name}-{number}"
                if one.run(text).stdout != text:
                    wrong.append(text)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == [] and odd.connections <= 8


def test_a_forked_child_has_connections_of_its_own() -> None:
    with odd_server(ok) as odd:
        one = client(odd.url)
        one.run("1")
        pid = os.fork()
        if pid == 0:
            try:
                os._exit(0 if one.run("1").success else 1)
            finally:
                os._exit(2)
        assert os.waitpid(pid, 0)[1] == 0
        assert odd.connections == 2
        one.run("1")
        assert odd.connections == 2


# -- proxies


def relay(visit: Visit) -> None:
    """A proxy's answer to CONNECT."""
    host, port = visit.head.split()[1].rsplit(":", 1)
    with socket.create_connection((host, int(port))) as there:
        visit.send(b"HTTP/1.1 200 Connected\r\n\r\n")

        def copy(one: socket.socket, other: socket.socket) -> None:
            try:
                while True:
                    data = one.recv(65536)
                    if not data:
                        break
                    other.sendall(data)
            except OSError:
                pass

        back = threading.Thread(target=copy, args=(there, visit.sock),
                                daemon=True)
        back.start()
        copy(visit.sock, there)
    hang_up(visit)


def test_proxies_of_the_environment_are_not_used(
        monkeypatch: pytest.MonkeyPatch) -> None:
    with odd_server(ok) as odd, odd_server(relay) as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.upper(), proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert client(odd.url).run("1").success
        assert proxy.connections == 0
        assert client(odd.url, proxy="environment").run("1").success
        assert proxy.connections == 1
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert client(odd.url, proxy="environment").run("1").success
        assert proxy.connections == 1


def test_a_proxy_sees_no_token(certificate: Callable[..., Path]) -> None:
    pem = certificate("IP:127.0.0.1")
    with odd_server(ok, pem) as odd, odd_server(relay) as proxy:
        via = f"http://me:secret@127.0.0.1:{proxy.port}"
        one = client(odd.url, proxy=via, ca_file=pem)
        assert one.run("1").success
        head = proxy.visits[0].head
        assert head.startswith(f"CONNECT 127.0.0.1:{odd.port} ")
        assert "Proxy-Authorization: Basic bWU6c2VjcmV0" in head
        assert TOKEN not in head
        assert "secret" not in repr(one)
    with pytest.raises(Unreachable):
        client(odd.url, proxy=via, retries=0).run("1")
