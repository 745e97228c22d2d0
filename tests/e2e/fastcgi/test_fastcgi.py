"""FastCGI, wrong in every way, straight to the workers' socket.

Each case has an answer with a clear error or a closed connection, soon; then
the next request is right, the pool is whole, no process died, no descriptor
is left, and the log has one line at most (fastcgi_calm.py).

These tests run beside the server: they read the path of its socket in its
configuration. Cases that stall take server.header_timeout_ms each; a server
for tests is best started with that at 500, and send_timeout_ms at 1000.

The tests, and their files, in front of the web server and past it:

    subject                        in front            past it
    JSON: syntax, types, UTF-8     test_bodies         test_fastcgi_same
    input files: names, base64     test_bodies         test_fastcgi_same
    edges of limits, odd programs  test_malformed      test_fastcgi_same
    size of a body                 test_requests       test_fastcgi_same
    methods, paths, query, headers test_requests       here, _same
    HTTP/0.9, smuggling, pipelines test_malformed_http -
    idle clients, late bodies      test_malformed_http test_fastcgi_peers
    credentials, rates             test_nginx          -
    framing of a body              test_requests       LENGTHS, BROKEN
    records, ids, roles, lengths   (the web server's)  here
    slow and absent readers        test_limits         test_fastcgi_peers
    many at once, reload           test_overload,      test_fastcgi_peers
                                   test_processes
    bodies at random               fuzz_native         fuzz_native
    streams at random              -                   test_fastcgi_peers,
                                                       fuzz_request

libfcgi alone handles several of these wrongly: "question twice" and "two
lengths of 0x7ffffff0" killed the worker, and a byte now and then held it for
ever.
"""

from __future__ import annotations

import array
import json
import socket
import struct

import pytest
from answers import check_json_error
from client import MEGABYTE, Client
from fastcgi_calm import (  # noqa: F401 pylint: disable=unused-import
    Calm, calm_fixture, client_fixture, where_fixture)
from fastcgi_peer import (
    ABORT, AUTHORIZER, BEGIN, DATA, END, FILTER, GET_VALUES, PARAMS, STDIN,
    STDOUT, UNKNOWN_ROLE, Peer, begin, exchange, names, pairs, record,
    request, stream)

BODY = b'{"code":"1 + 1"}'
NAMES = names(BODY)
HEAD = pairs(NAMES.items())
GOOD_REQUEST = request(BODY)


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
def test_odd_but_good(calm: Calm, name: str) -> None:
    reply = calm.ask(GOOD[name]).reply()
    assert reply.status == 200
    assert reply.json()["final_expression"] == 2


@pytest.mark.parametrize("number", [1, 2, 255, 256, 65535])
def test_any_number_of_a_request(calm: Calm, number: int) -> None:
    answer = calm.ask(request(BODY, number=number))
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


def test_params_reach_no_environment(client: Client, calm: Calm) -> None:
    evil = {"HTTP_PROXY": "http://evil/", "LD_PRELOAD": "/evil.so",
            "PYTHONPATH": "/evil", "BASH_FUNC_x%%": "() { evil; }"}
    body = json.dumps({"code": "import os\nstr(dict(os.environ))"}).encode()
    reply = calm.ask(request(body, {**names(body), **evil})).reply()
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
def test_broken_is_closed(calm: Calm, name: str) -> None:
    answer = calm.ask(BROKEN[name])
    assert answer.data == b""


@pytest.mark.parametrize("role", [0, AUTHORIZER, FILTER, 4, 65535])
def test_other_role(calm: Calm, role: int) -> None:
    answer = calm.ask(begin(role) + GOOD_REQUEST[16:])
    assert answer.ended() == [(1, UNKNOWN_ROLE)]
    assert len(answer.records()) == 1


@pytest.mark.parametrize("size", range(0, len(GOOD_REQUEST), 5))
def test_peer_that_leaves_in_the_middle(where: str, calm: Calm,
                                        size: int) -> None:
    """Cut anywhere; nothing is run, also when only the end is missing."""
    answer = calm.ask(GOOD_REQUEST[:size], half_close=True)
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
def test_length(calm: Calm, length: str) -> None:
    answer = calm.ask(request(BODY, {**NAMES, "CONTENT_LENGTH": length}))
    code = LENGTHS[length]
    check_json_error(answer.reply(), 413 if code == "too_large" else 400,
                     code)


def test_no_length(calm: Calm) -> None:
    params = {name: value for name, value in NAMES.items()
              if name != "CONTENT_LENGTH"}
    check_json_error(calm.ask(request(BODY, params)).reply(), 400,
                     "length_mismatch")
    check_json_error(calm.ask(request(b"", params)).reply(), 400,
                     "empty_body")


@pytest.mark.parametrize("name", [
    "CONTENT_LENGTH", "REQUEST_METHOD", "DOCUMENT_URI", "CONTENT_TYPE",
    "REQUEST_ID", "TERRARIUM_CLIENT", "TERRARIUM_OWNER",
    "HTTP_CONTENT_ENCODING", "REQUEST_MSEC"])
def test_twice(calm: Calm, name: str) -> None:
    value = NAMES.get(name, "1")
    once = [(n, v) for n, v in NAMES.items() if n != name]
    answer = calm.ask(with_params(pairs(once + [(name, value)] * 2)))
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
def test_body_that_breaks_off(calm: Calm, name: str) -> None:
    """The whole body is there, but not its end: it is not run."""
    answer = calm.ask(with_body(*SPOILT_BODIES[name]))
    check_json_error(answer.reply(), 400, "length_mismatch")


@pytest.mark.parametrize("method, uri, code", [
    ("GET", "/forbidden-packages", 405), ("PUT", "/", 405),
    ("HEAD", "/forbidden-packages", 405),
    ("BREW", "/", 405), ("", "/", 405), ("post", "/", 405),
    ("POST", "", 404), ("POST", "//", 404), ("POST", "/%2e%2e/", 404),
    ("POST", "/../etc/passwd", 404), ("POST", "/x\ny", 404),
    ("POST", "/" + "x" * 60000, 404), ("POST", "/status", 404)],
    ids=lambda value: ascii(value)[:20])
def test_method_and_path(calm: Calm, method: str, uri: str,
                         code: int) -> None:
    answer = calm.ask(request(BODY, names(BODY, method, uri)))
    check_json_error(answer.reply(), code)
