"""Whatever comes to the workers' own socket, past the web server.

First the same requests as through the web server (every test of
test_bodies.py and test_malformed.py, and those of test_requests.py that are
not about the web server), sent as plain FastCGI. Then FastCGI itself, wrong
in every way: each case has an answer with a clear error or a closed
connection, soon; the next request is right, the pool is whole, nobody died,
no descriptor is left, and the log has one line at most.

Needs to be beside the server: it reads the path of the socket from the
configuration. Cases that stall take server.header_timeout_ms each; a server
for tests is best started with that at 500, and send_timeout_ms at 1000.

What is tried, and where else:

    what                              nginx in front        here
    JSON: syntax, types, UTF-8        test_bodies           the same
    input files: names, base64        test_bodies           the same
    files: too many, too deep         test_malformed        the same
    size of a body                    test_requests         the same
    methods, paths, query, headers    test_requests         the same
    HTTP/0.9, smuggling, pipelining,  test_malformed,       -
      idle connections                test_nginx_limits
    credentials, rates                test_nginx            -
    framing of a body                 test_requests         LENGTHS, BROKEN
    records, ids, roles, lengths      (nginx's own)         BROKEN, GOOD
    bodies at random                  fuzz_native           -
    streams at random                 -                     test_random...,
                                                            fuzz_request
    slow and absent readers           test_limits           test_peer_that...
    reload                            test_processes        test_reload...

Several of these were found to be wrong with what libfcgi does by itself:
"question twice" and "two lengths of 0x7ffffff0" killed the worker, and a
byte now and then held it for ever.
"""

from __future__ import annotations

import array
import json
import os
import random
import re
import signal
import socket
import struct
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest
from answers import check_json_error
from client import MEGABYTE, Client, Reply, b64
from conftest import Settings, Status, wait_until
from fastcgi_peer import (
    ABORT, AUTHORIZER, BEGIN, DATA, END, FILTER, GET_VALUES, PARAMS, STDIN,
    STDOUT, UNKNOWN_ROLE, Answer, FastCgiClient, Peer, begin, exchange,
    names, pairs, record, request, stream)
from test_bodies import *  # noqa: F401,F403 pylint: disable=W0401,W0614
from test_malformed import *  # noqa: F401,F403 pylint: disable=W0401,W0614
from test_requests import (  # noqa: F401 pylint: disable=unused-import
    test_body_at_the_limit, test_compressed_request_is_refused,
    test_forbidden_packages, test_headers_are_few_and_fixed,
    test_headers_that_change_nothing, test_packages, test_query_is_ignored,
    test_request_id, test_request_id_is_not_the_clients,
    test_the_exact_line, test_the_exact_order_of_a_failure,
    test_unknown_path)
from test_soak import open_files, own_conf, resident_kb

STREAMS = int(os.environ.get("FASTCGI_STREAMS", "2000"))
QUICK_S = 0.1
BODY = b'{"code":"1 + 1"}'
NAMES = names(BODY)
HEAD = pairs(NAMES.items())
GOOD_REQUEST = request(BODY)


# -- the server


@pytest.fixture(scope="session")
def where(settings: Settings) -> str:
    """The workers' socket."""
    found = own_conf().get("socket")
    if not found or not os.access(found, os.W_OK):
        pytest.skip("the workers' socket is not known or not for us: run "
                    "beside the server, with TERRARIUM_PID_FILE")
    return found


@pytest.fixture(scope="session")
def client(where: str) -> Client:
    """In place of the one that goes through the web server."""
    return FastCgiClient(where)


@pytest.fixture(scope="session")
def front(settings: Settings) -> Client:
    """The one that does."""
    return Client(settings.url, settings.token, settings.cacert)


def option_s(name: str, unset_ms: int) -> float:
    return int(own_conf().get(name, unset_ms)) / 1000


def log_size() -> Optional[int]:
    """Bytes of the server's log, when that is a file beside its pid."""
    file = Path(os.environ["TERRARIUM_PID_FILE"]).parent / "log" / \
        "terrarium.log"
    return file.stat().st_size if file.exists() else None


def log_lines(since: Optional[int]) -> list[str]:
    if since is None:
        return []
    file = Path(os.environ["TERRARIUM_PID_FILE"]).parent / "log" / \
        "terrarium.log"
    return [line for line in file.read_bytes()[since:].decode(
        "utf-8", "replace").splitlines() if " worker[" in line
        or line.startswith("*** ")]


class Calm:
    """The server as it was; check() compares."""

    def __init__(self, client: Client, status: Status, master: int) -> None:
        self.client, self.status, self.master = client, status, master
        self.before = self.whole()
        self.log = log_size()

    def whole(self) -> dict[str, Any]:
        armed = int(own_conf().get("armed", 4))
        wait_until(lambda: self.status.pool()["idle"] >= armed, 10,
                   "the pool is whole")
        said = self.status.get()
        return {"deaths": said["counters"]["worker_deaths_total"],
                "failures": said["counters"]["arm_failures_total"],
                "busy": said["pool"]["busy"], "idle": said["pool"]["idle"],
                "zygote": said["zygote"],
                "zygote files": open_files(said["zygote"]),
                "master files": open_files(self.master)}

    def check(self, lines: int = 1) -> None:
        after = self.whole()
        assert after == self.before
        found = log_lines(self.log)
        assert len(found) <= lines, found
        assert self.client.value("6 * 7") == 42


@pytest.fixture
def calm(client: Client, status: Status, master: int) -> Iterator[Calm]:
    it = Calm(client, status, master)
    yield it
    it.check()


def quick(where: str, data: bytes, half_close: bool = False) -> Answer:
    """The answer, which must come soon. This machine may be busy with
    something else: best of three."""
    for _ in range(3):
        answer = exchange(where, data, half_close, 5)
        assert not answer.late
        if answer.seconds < QUICK_S:
            break
    assert answer.seconds < QUICK_S
    return answer


# -- good requests in odd clothes


def with_params(content: bytes) -> bytes:
    return begin() + stream(PARAMS, content) + stream(STDIN, BODY)


def with_body(*records: bytes) -> bytes:
    return begin() + stream(PARAMS, HEAD) + b"".join(records)


LONG = b'{"code":"1 + 1","x":"' + b"y" * 200000 + b'"}'
WIDE_LENGTH = struct.pack(">I", 0x80000000)

GOOD = {
    "plain": GOOD_REQUEST,
    "all flags": begin(flags=255) + GOOD_REQUEST[16:],
    "padding": begin() + stream(PARAMS, HEAD, padding=255)
    + stream(STDIN, BODY, padding=255),
    "padding alone": with_body(record(STDIN, BODY),
                               record(STDIN, b"", padding=255)),
    "largest records": request(LONG),
    "tiny params": begin() + stream(PARAMS, HEAD, 1) + stream(STDIN, BODY),
    "tiny body": with_body(stream(STDIN, BODY, 1)),
    "four-byte lengths": with_params(pairs(NAMES.items(), wide=True)),
    "empty value": with_params(HEAD + pairs([("X", "")])),
    "empty value, wide": with_params(HEAD + b"\1" + WIDE_LENGTH + b"X"),
    "many params": with_params(HEAD + pairs([(f"X{i}", "y" * 200)
                                             for i in range(200)])),
    "bad UTF-8 in params": with_params(HEAD + pairs([(b"\xff", b"\xc0\n")])),
    "leading zeros": request(BODY, {**NAMES, "CONTENT_LENGTH": "0016"}),
    "second request behind": GOOD_REQUEST + request(b'{"code":"2"}'),
    "kept open, second behind":
        begin(flags=1) + GOOD_REQUEST[16:] + GOOD_REQUEST,
    "body after its end": GOOD_REQUEST + record(STDIN, b"more"),
    "abort behind": GOOD_REQUEST + record(ABORT),
    "files by name": request(BODY, {
        **NAMES, "SCRIPT_FILENAME": "/etc/passwd", "DOCUMENT_ROOT": "/etc",
        "PATH_INFO": "/../x\n", "PHP_VALUE": "auto_prepend_file=/etc/x"}),
    "spoofed": request(BODY, {**NAMES, "REMOTE_ADDR": "127.0.0.1",
                              "HTTPS": "on", "HTTP_AUTHORIZATION": "x"}),
}


@pytest.mark.parametrize("name", GOOD)
def test_odd_but_good(where: str, calm: Calm, name: str) -> None:
    reply = quick(where, GOOD[name]).reply()
    assert reply.status == 200
    assert reply.json()["final_expression"] == 2


@pytest.mark.parametrize("number", [1, 2, 255, 256, 65535])
def test_any_number_of_a_request(where: str, calm: Calm, number: int) -> None:
    answer = quick(where, request(BODY, number=number))
    assert {r.number for r in answer.records()} == {number}
    assert answer.reply().json()["final_expression"] == 2


@pytest.mark.parametrize("size", [1, 7, 8, 9, 4095, 4096, 65535])
def test_split_anywhere(where: str, calm: Calm, size: int) -> None:
    """The same request in pieces of any size."""
    data = GOOD_REQUEST if size < 4000 else request(LONG)
    with Peer(where) as peer:
        for at in range(0, len(data), size):
            peer.send(data[at:at + size])
        reply = peer.finish().reply()
    assert reply.json()["final_expression"] == 2


def test_params_reach_no_environment(client: Client, where: str,
                                     calm: Calm) -> None:
    evil = {"HTTP_PROXY": "http://evil/", "LD_PRELOAD": "/evil.so",
            "PYTHONPATH": "/evil", "BASH_FUNC_x%%": "() { evil; }"}
    body = json.dumps({"code": "import os\nstr(dict(os.environ))"}).encode()
    reply = quick(where, request(body, {**names(body), **evil})).reply()
    assert "evil" not in reply.json()["final_expression"]


def test_descriptors_that_come_along_are_dropped(where: str,
                                                 calm: Calm) -> None:
    fds = array.array("i", [0] * 50)
    with Peer(where) as peer:
        peer.sock.sendmsg([GOOD_REQUEST], [(
            socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
        assert peer.finish().reply().json()["final_expression"] == 2


def test_urgent_byte_is_ignored(where: str, calm: Calm) -> None:
    with Peer(where) as peer:
        peer.send(GOOD_REQUEST[:40])
        try:
            peer.sock.send(b"!", socket.MSG_OOB)
        except OSError:
            pytest.skip("this kernel has no urgent bytes here")
        peer.send(GOOD_REQUEST[40:])
        assert peer.finish().reply().json()["final_expression"] == 2


# -- broken: closed without an answer, at once


VALUES = pairs([("FCGI_MAX_CONNS", ""), ("FCGI_MAX_REQS", ""),
                ("FCGI_MPXS_CONNS", "")])

BROKEN: dict[str, bytes] = {
    "question": record(GET_VALUES, VALUES, 0) + GOOD_REQUEST,
    "question twice": record(GET_VALUES, VALUES * 2, 0) + GOOD_REQUEST,
    "question, later": begin() + record(GET_VALUES, VALUES * 9, 0)
    + GOOD_REQUEST[16:],
    "question, long": record(GET_VALUES, pairs([("x" * 99, "y" * 99)] * 320),
                             0) + GOOD_REQUEST,
    "question, cut": record(GET_VALUES, b"\5\5ab", 0) + GOOD_REQUEST,
    "number 0": request(BODY, number=0),
    "second request": begin() + begin(number=2) + GOOD_REQUEST[16:],
    "begun twice": begin() + GOOD_REQUEST,
    "params of another": begin() + record(PARAMS, b"x", 2)
    + GOOD_REQUEST[16:],
    "abort in params": begin() + record(ABORT) + GOOD_REQUEST[16:],
    "params without end": begin() + record(PARAMS, HEAD)
    + stream(STDIN, BODY),
    "body before end of params": begin() + record(PARAMS, HEAD)
    + record(STDIN, BODY) + record(PARAMS) + record(STDIN),
    "name is empty": with_params(HEAD + pairs([("", "x")])),
    "name with =": with_params(HEAD + pairs([("A=B", "x")])),
    "name with NUL": with_params(HEAD + pairs([(b"A\0B", "x")])),
    "value with NUL": request(BODY, {**NAMES, "CONTENT_LENGTH": "16\0"}),
    "length without pair": with_params(HEAD + b"\x10"),
    "length past the end": with_params(HEAD + b"\5\5ab"),
    "length cut": with_params(HEAD + b"\xff\xff"),
    "too large params": with_params(HEAD + pairs([("X", "y" * 65536)])),
    "far too large params": with_params(
        HEAD + pairs([("X", "y" * MEGABYTE)] * 30)),
    "too many params": with_params(HEAD + pairs([(f"X{i}", "")
                                                 for i in range(257)])),
}
BROKEN.update({f"version {n}": bytes([n]) + GOOD_REQUEST[1:]
               for n in (0, 2, 255)})
BROKEN.update({f"type {kind} first": record(kind, b"x") + GOOD_REQUEST
               for kind in (0, ABORT, END, PARAMS, STDIN, STDOUT, DATA, 12,
                            255)})
BROKEN.update({f"type {kind} of request 0": record(kind, b"x", 0)
               + GOOD_REQUEST for kind in (0, BEGIN, STDIN, 12, 255)})
BROKEN.update({f"begin of {size} bytes": record(BEGIN, bytes(
    [0, 1]).ljust(size, b"\0")[:size]) + GOOD_REQUEST[16:]
    for size in (0, 7, 9, 65535)})
BROKEN.update({f"{which} of {length:#x}": with_params(lengths + b"x" + HEAD)
               for length in (0x7fffffff, 0x7ffffff0, 0x7fffffff - 8, 65536)
               for wide in [struct.pack(">I", length | 0x80000000)]
               for which, lengths in (("name", wide + b"\1"),
                                      ("value", b"\1" + wide),
                                      ("two lengths", wide + wide))})


@pytest.mark.parametrize("name", BROKEN)
def test_broken_is_closed(where: str, calm: Calm, name: str) -> None:
    answer = quick(where, BROKEN[name])
    assert answer.data == b""


@pytest.mark.parametrize("role", [0, AUTHORIZER, FILTER, 4, 65535])
def test_other_role(where: str, calm: Calm, role: int) -> None:
    answer = quick(where, begin(role) + GOOD_REQUEST[16:])
    assert answer.ended() == [(1, UNKNOWN_ROLE)]
    assert len(answer.records()) == 1


@pytest.mark.parametrize("size", range(0, len(GOOD_REQUEST), 5))
def test_peer_that_leaves_in_the_middle(where: str, calm: Calm,
                                        size: int) -> None:
    """Cut anywhere; nothing is run, also when only the end is missing."""
    answer = quick(where, GOOD_REQUEST[:size], half_close=True)
    if answer.data:
        check_json_error(answer.reply(), 400, "length_mismatch")


def test_every_byte_of_the_head_spoilt(where: str, calm: Calm) -> None:
    """Whatever a byte becomes: an answer or an end, and soon."""
    size = len(GOOD_REQUEST) - len(BODY)
    for at in range(size):
        for value in (0, 255, GOOD_REQUEST[at] ^ 1):
            data = GOOD_REQUEST[:at] + bytes([value]) + GOOD_REQUEST[at + 1:]
            answer = exchange(where, data, True, 5)
            assert not answer.late, at
            answer.records()
    calm.log = None


# -- broken: answered with a clear error


LENGTHS = {
    "": "length_mismatch", "-1": "bad_length", "+16": "bad_length",
    "16 ": "bad_length", " 16": "bad_length", "0x10": "bad_length",
    "16\n": "bad_length", "16.0": "bad_length", "\u0661\u0666": "bad_length",
    "15": "length_mismatch", "17": "length_mismatch", "0": "length_mismatch",
    "9" * 20: "too_large", "18446744073709551632": "too_large",
    "104857601": "too_large",
}


@pytest.mark.parametrize("length", LENGTHS, ids=ascii)
def test_length(where: str, calm: Calm, length: str) -> None:
    answer = quick(where, request(BODY, {**NAMES, "CONTENT_LENGTH": length}))
    code = LENGTHS[length]
    check_json_error(answer.reply(), 413 if code == "too_large" else 400,
                     code)


def test_no_length(where: str, calm: Calm) -> None:
    params = {name: value for name, value in NAMES.items()
              if name != "CONTENT_LENGTH"}
    check_json_error(quick(where, request(BODY, params)).reply(), 400,
                     "length_mismatch")
    check_json_error(quick(where, request(b"", params)).reply(), 400,
                     "empty_body")


@pytest.mark.parametrize("name", [
    "CONTENT_LENGTH", "REQUEST_METHOD", "DOCUMENT_URI", "CONTENT_TYPE",
    "REQUEST_ID", "TERRARIUM_CLIENT", "HTTP_CONTENT_ENCODING",
    "REQUEST_MSEC"])
def test_twice(where: str, calm: Calm, name: str) -> None:
    value = NAMES.get(name, "1")
    once = [(n, v) for n, v in NAMES.items() if n != name]
    answer = quick(where, with_params(pairs(once + [(name, value)] * 2)))
    check_json_error(answer.reply(), 400, "bad_request", name)


SPOILT_BODIES = {
    "another's record": (record(STDIN, b"x", 2), stream(STDIN, BODY)),
    "data": (record(DATA, b"x"), stream(STDIN, BODY)),
    "params again": (record(STDIN, BODY), record(PARAMS), record(STDIN)),
    "abort": (record(STDIN, BODY), record(ABORT), record(STDIN)),
    "question": (record(STDIN, BODY), record(GET_VALUES, VALUES * 3, 0),
                 record(STDIN)),
    "version 2": (record(STDIN, BODY), record(STDIN, version=2)),
    "random": (record(STDIN, BODY), b"\x9b" * 100),
}


@pytest.mark.parametrize("name", SPOILT_BODIES)
def test_body_that_breaks_off(where: str, calm: Calm, name: str) -> None:
    """The whole body is there, but not its end: it is not run."""
    answer = quick(where, with_body(*SPOILT_BODIES[name]))
    check_json_error(answer.reply(), 400, "length_mismatch")


@pytest.mark.parametrize("method, uri, status", [
    ("GET", "/", 405), ("PUT", "/", 405), ("HEAD", "/", 405),
    ("BREW", "/", 405), ("", "/", 405), ("post", "/", 405),
    ("POST", "", 404), ("POST", "//", 404), ("POST", "/%2e%2e/", 404),
    ("POST", "/../etc/passwd", 404), ("POST", "/x\ny", 404),
    ("POST", "/" + "x" * 60000, 404), ("POST", "/status", 404)])
def test_method_and_path(where: str, calm: Calm, method: str, uri: str,
                         status: int) -> None:
    answer = quick(where, request(BODY, names(BODY, method, uri)))
    check_json_error(answer.reply(), status)


# -- large and many


def test_a_million_records(where: str, calm: Calm) -> None:
    """One byte each; the time is linear."""
    body = b'{"code":"1 + 1"' + b" " * 999984 + b"}"
    assert len(body) == 1000000
    data = begin() + stream(PARAMS, pairs(names(body).items())) + \
        stream(STDIN, body, 1)
    reply = exchange(where, data).reply()
    assert reply.json()["final_expression"] == 2
    assert reply.seconds < 5


def test_too_large_is_refused_before_it_is_sent(where: str,
                                                calm: Calm) -> None:
    """And a peer that goes on sending still finds the answer."""
    body = b" " * (20 * MEGABYTE)
    answer = exchange(where, request(
        body, {**NAMES, "CONTENT_LENGTH": str(200 * MEGABYTE)}))
    check_json_error(answer.reply(), 413, "too_large")


@pytest.mark.parametrize("size", [0, 1, 7, 8180, 65535, 65536])
def test_reply_sizes(where: str, calm: Calm, size: int) -> None:
    """All sizes about SIZE: the records are whole and the length is right,
    wherever the text is cut into records."""
    calm.log = None
    spare = size_of_reply(where, 0)
    for more in range(-12, 13):
        want = max(0, size - spare + more)
        answer = quick(where, printing(want))
        reply = answer.reply()
        assert reply.json()["std_out"] == "x" * want
        assert reply.header("Content-Length") == str(len(reply.body))
        assert all(len(r.content) for r in answer.records()[:-2])


def printing(size: int) -> bytes:
    return request(json.dumps({"code": f"print('x' * {size}, end='')"})
                   .encode())


def size_of_reply(where: str, size: int) -> int:
    """Bytes on the stream, the head too, of a program that prints SIZE."""
    return sum(len(r.content) for r in exchange(where, printing(size))
               .records() if r.kind == STDOUT)


def test_large_reply(client: Client, calm: Calm) -> None:
    reply = client.run("import os\nopen('big', 'wb').write("
                       "os.urandom(16 << 20))\nNone")
    assert len(reply.files()["big"]) == 16 << 20


def test_many_requests(where: str, status: Status, master: int,
                       calm: Calm) -> None:
    """On a connection each: nothing grows."""
    zygote = status.get()["zygote"]
    before = resident_kb(master), resident_kb(zygote)
    for n in range(200):
        body = json.dumps({"code": f"{n} * 2"}).encode()
        reply = exchange(where, request(body)).reply()
        assert reply.json()["final_expression"] == n * 2
    after = resident_kb(master), resident_kb(zygote)
    assert after[0] <= before[0] + 256 and after[1] <= before[1] + 1024
    calm.log = None


def test_more_than_can_wait(where: str, calm: Calm) -> None:
    """Twice as many as may wait, at once: those that get in are served,
    the others are told at once."""
    backlog = int(own_conf().get("backlog", 64))
    peers, refused = [], 0
    for _ in range(backlog * 2 + 40):
        sock = socket.socket(socket.AF_UNIX)
        sock.setblocking(False)
        try:
            sock.connect(where)
            sock.settimeout(30)
            sock.sendall(GOOD_REQUEST)
            peers.append(sock)
        except BlockingIOError:
            refused += 1
            sock.close()
    assert len(peers) >= backlog
    for sock in peers:
        with sock:
            data = b""
            while True:
                got = sock.recv(1 << 16)
                if not got:
                    break
                data += got
        assert Answer(data, 0).reply().json()["final_expression"] == 2
    calm.log = None
    print(f"\n{len(peers)} served, {refused} refused")


# -- late and absent peers


def test_connect_and_leave(where: str, calm: Calm) -> None:
    """Costs a worker each, but neither time nor a line of the log."""
    log = log_size()
    for _ in range(30):
        Peer(where).sock.close()
    calm.check(0)
    assert log_lines(log)[:-1] == []  # but the request of check()
    calm.log = None


@pytest.mark.parametrize("size", [0, 1, 7, 8, 16, 60, len(GOOD_REQUEST) - 8])
def test_peer_that_stalls(where: str, calm: Calm, size: int) -> None:
    limit = option_s("header_timeout_ms", 5000)
    answer = exchange(where, GOOD_REQUEST[:size], within_s=limit * 3)
    assert not answer.late
    assert limit * 0.8 < answer.seconds < limit + 0.5
    if answer.data:
        check_json_error(answer.reply(), 400, "length_mismatch")


def test_peer_that_sends_a_byte_now_and_then(where: str, calm: Calm) -> None:
    """All of the head has one time-out, however it is dealt out."""
    limit = option_s("header_timeout_ms", 5000)
    pause = limit / 10
    with Peer(where) as peer:
        for at in range(30):
            if not peer.send(GOOD_REQUEST[at:at + 1]):
                break
            time.sleep(pause)
        assert time.monotonic() - peer.begun < limit + 4 * pause


def test_idle_connections_hold_workers_no_longer(
        where: str, front: Client, status: Status, calm: Calm) -> None:
    """As many as there can be workers, which all wait for a word: a request
    is served when the time-out has passed, not later."""
    limit = option_s("header_timeout_ms", 5000)
    idle = [Peer(where) for _ in range(status.pool()["workers_max"])]
    try:
        reply = front.run("1 + 1")
        print(f"\nserved after {reply.seconds:.3f} s")
        assert reply.json()["final_expression"] == 2
        assert reply.seconds < limit + 1
    finally:
        for peer in idle:
            peer.sock.close()
    calm.log = None


SLEEP = request(b'{"code":"import time\\ntime.sleep(5)"}')


@pytest.mark.parametrize("leave", [
    lambda sock: sock.close(), lambda sock: sock.shutdown(socket.SHUT_WR),
    lambda sock: sock.shutdown(socket.SHUT_RDWR)],
    ids=["close", "half", "shutdown"])
def test_peer_that_leaves_ends_its_run(where: str, status: Status, calm: Calm,
                                       leave: Callable) -> None:
    with Peer(where) as peer:
        peer.send(SLEEP)
        wait_until(lambda: status.busy() == 1, 2, "it runs")
        leave(peer.sock)
        wait_until(lambda: status.busy() == 0, 1, "it ran no longer")


def test_peer_that_reads_nothing(where: str, status: Status,
                                 calm: Calm) -> None:
    """Of a large answer: the worker gives up after the time-out."""
    limit = option_s("send_timeout_ms", 30000)
    body = json.dumps({"code": "open('f', 'wb').write(bytes(10 << 20))"})
    with Peer(where) as peer:
        peer.send(request(body.encode()))
        wait_until(lambda: status.busy() == 1, 2, "it runs")
        time.sleep(0.3)
        took = wait_until(lambda: status.busy() == 0, limit + 3,
                          "the worker gave up")
        assert took > limit / 2, "it never waited"
        # What did arrive cannot be taken for all of it.
        answer = peer.finish()
        assert bytes([1, END, 0, 1]) not in answer.data[-16:]
    calm.log = None


def test_peer_that_stays_after_its_answer(where: str, status: Status,
                                          calm: Calm) -> None:
    with Peer(where) as peer:
        peer.send(GOOD_REQUEST)
        peer.finish()
        took = wait_until(lambda: status.busy() == 0, 2, "the worker left")
        assert took < 0.5


def test_peer_that_sends_for_ever(where: str, status: Status,
                                  calm: Calm) -> None:
    """After it was refused, it is listened to for one time-out."""
    limit = option_s("header_timeout_ms", 5000)
    head = with_params(HEAD)[:-len(stream(STDIN, BODY))]
    params = {**NAMES, "DOCUMENT_URI": "/nothing"}
    head = begin() + stream(PARAMS, pairs(params.items()))
    with Peer(where) as peer:
        peer.send(head)
        end = time.monotonic() + limit * 3
        while time.monotonic() < end and peer.send(record(STDIN, b"x")):
            time.sleep(0.01)
        assert time.monotonic() - peer.begun < limit + 0.5
        check_json_error(peer.finish().reply(), 404)


# -- reload


def test_reload_loses_no_request(where: str, status: Status, master: int,
                                 may_signal: None) -> None:
    """Each is answered, once, while generations change."""
    before = status.get()["zygote"]
    stop = threading.Event()
    wrong: list[Any] = []
    served = [0]

    def caller(first: int) -> None:
        number = first
        while not stop.is_set():
            body = json.dumps({"code": str(number)}).encode()
            try:
                reply = exchange(where, request(body)).reply()
                if reply.json()["final_expression"] != number:
                    wrong.append(reply.body)
                served[0] += 1
            except (AssertionError, OSError, KeyError) as error:
                wrong.append(error)
            number += 2

    callers = [threading.Thread(target=caller, args=(n,)) for n in (0, 1)]
    for thread in callers:
        thread.start()
    try:
        os.kill(master, signal.SIGHUP)
        wait_until(lambda: status.get()["zygote"] not in (0, before), 60,
                   "there is a new zygote")
        time.sleep(0.5)
    finally:
        stop.set()
        for thread in callers:
            thread.join()
    assert not wrong, wrong[:3]
    assert served[0] > 10


# -- at random


def mutated(rng: random.Random) -> bytes:
    """A good request with a few things done to it."""
    data = bytearray(rng.choice(list(GOOD.values()))[:3000])
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(data) + 1)
        size = rng.choice((1, 1, 2, 4, 8, 30))
        act = rng.randrange(5)
        if act == 0:
            data[at:at + size] = rng.randbytes(size)
        elif act == 1:
            del data[at:at + size]
        elif act == 2:
            data[at:at] = rng.randbytes(size)
        elif act == 3:
            data[at:at] = data[at:at + size * 8]
        else:
            data[at:at + 1] = bytes([rng.choice((0, 1, 127, 128, 255))])
        if not data:
            data += b"\1"
    return bytes(data)


def random_stream(seed: int) -> bytes:
    rng = random.Random(seed)
    if seed % 4 == 0:
        return rng.randbytes(rng.choice((3, 8, 16, 100, 5000)))
    return mutated(rng)


def test_random_streams(where: str, calm: Calm) -> None:
    """FASTCGI_STREAMS of them (2000). The peer leaves at the end, so that
    none may take longer than a program does."""
    begun = time.monotonic()
    for seed in range(STREAMS):
        answer = exchange(where, random_stream(seed), True, 5)
        assert not answer.late, seed
        answer.records()
        if seed % 200 == 199:
            calm.log = None
            calm.check()
    calm.log = None
    print(f"\n{STREAMS} streams in {time.monotonic() - begun:.1f} s")
