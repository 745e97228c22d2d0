"""Large, many, late and absent peers of the workers' socket, and random
ones. See test_fastcgi.py. FASTCGI_STREAMS sets the number of the last (2000).
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import threading
import time
from typing import Any, Callable

import pytest
from answers import check_json_error
from client import MEGABYTE, Client
from conftest import Status, best_of_three, wait_until
from fastcgi_calm import (  # noqa: F401 pylint: disable=unused-import
    Calm, calm_fixture, client_fixture, front_fixture, log_lines, option_s,
    where_fixture)
from fastcgi_peer import (
    END, PARAMS, STDIN, STDOUT, Answer, Peer, begin, exchange, names, pairs,
    record, request, stream)
from test_fastcgi import GOOD, GOOD_REQUEST, NAMES
from test_soak import open_files, own_conf, resident_kb

STREAMS = int(os.environ.get("FASTCGI_STREAMS", "2000"))


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
    """A peer that goes on sending can do so to its end, because an unfinished
    request would look like a broken server."""
    params = {**NAMES, "CONTENT_LENGTH": str(200 * MEGABYTE)}
    with Peer(where) as peer:
        assert peer.send(begin() + stream(PARAMS, pairs(params.items())))
        for _ in range(20):
            time.sleep(0.002)
            assert peer.send(record(STDIN, bytes(65535)) * 16)
        assert peer.send(record(STDIN))
        check_json_error(peer.finish().reply(), 413, "too_large")


@pytest.mark.parametrize("size", [0, 1, 7, 8180, 65535, 65536])
def test_reply_sizes(where: str, calm: Calm, size: int) -> None:
    """All sizes about SIZE: the records are whole and the length is right,
    wherever the text is cut into records."""
    calm.log = None
    spare = size_of_reply(where, 0)
    for more in range(-12, 13):
        want = max(0, size - spare + more)
        answer = calm.ask(printing(want))
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
    pool_pid = status.get()["pool_pid"]
    before = resident_kb(master), resident_kb(pool_pid)
    for n in range(200):
        body = json.dumps({"code": f"{n} * 2"}).encode()
        reply = exchange(where, request(body)).reply()
        assert reply.json()["final_expression"] == n * 2
    after = resident_kb(master), resident_kb(pool_pid)
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
    for _ in range(30):
        Peer(where).sock.close()
    wait_until(calm.rests, 5, "the server is at rest")
    assert not log_lines(calm.log)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 16, 60, len(GOOD_REQUEST) - 8])
def test_peer_that_stalls(where: str, calm: Calm, size: int) -> None:
    limit = option_s("header_timeout_ms", 5000)
    answer = exchange(where, GOOD_REQUEST[:size], within_s=limit + 10)
    assert not answer.late
    assert limit * 0.8 < answer.seconds < limit + 3
    if answer.data:
        check_json_error(answer.reply(), 400, "length_mismatch")


def test_peer_that_sends_a_byte_now_and_then(where: str, calm: Calm) -> None:
    """All of the head has one time-out, however it is dealt out."""
    limit = option_s("header_timeout_ms", 5000)
    pause = limit / 10

    def took() -> float:
        calm.asked += 1
        with Peer(where) as peer:
            for at in range(30):
                if not peer.send(GOOD_REQUEST[at:at + 1]):
                    return time.monotonic() - peer.begun
                time.sleep(pause)
        pytest.fail("each byte renews the time-out")

    best_of_three(took, limit + 4 * pause)


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
        assert reply.seconds < limit + 3
    finally:
        for peer in idle:
            peer.sock.close()
    calm.log = None


SLEEP = request(b'{"code":"import time\\ntime.sleep(25)"}')


@pytest.mark.parametrize("leave", [
    lambda sock: sock.close(), lambda sock: sock.shutdown(socket.SHUT_WR),
    lambda sock: sock.shutdown(socket.SHUT_RDWR)],
    ids=["close", "half", "shutdown"])
def test_peer_that_leaves_ends_its_run(where: str, status: Status, calm: Calm,
                                       leave: Callable) -> None:
    def took() -> float:
        calm.asked += 1
        with Peer(where) as peer:
            peer.send(SLEEP)
            wait_until(lambda: status.busy() == 1, 10, "it runs")
            leave(peer.sock)
            return wait_until(lambda: status.busy() == 0, 10,
                              "it ran no longer")

    best_of_three(took, 1)


def test_peer_that_reads_nothing(where: str, status: Status,
                                 calm: Calm) -> None:
    """Of a large answer: the worker gives up after the time-out."""
    limit = option_s("send_timeout_ms", 30000)
    body = json.dumps({"code": "open('f', 'wb').write(bytes(10 << 20))"})
    with Peer(where) as peer:
        begun = time.monotonic()
        peer.send(request(body.encode()))
        wait_until(lambda: status.busy() == 1, 10, "it runs")
        wait_until(lambda: status.busy() == 0, limit + 10,
                   "the worker gave up")
        assert time.monotonic() - begun > limit, "it never waited"
        # The part that arrived cannot be taken for the whole.
        answer = peer.finish()
        assert bytes([1, END, 0, 1]) not in answer.data[-16:]
    calm.log = None


def test_peer_that_stays_after_its_answer(where: str, status: Status,
                                          calm: Calm) -> None:
    def took() -> float:
        calm.asked += 1
        with Peer(where) as peer:
            peer.send(GOOD_REQUEST)
            peer.finish()
            return wait_until(lambda: status.busy() == 0, 10,
                              "the worker left")

    best_of_three(took, 0.5)


def test_peer_that_sends_for_ever(where: str, status: Status,
                                  calm: Calm) -> None:
    """After it was refused, it is listened to for one time-out."""
    limit = option_s("header_timeout_ms", 5000)
    params = {**NAMES, "DOCUMENT_URI": "/nothing"}
    head = begin() + stream(PARAMS, pairs(params.items()))

    def took() -> float:
        calm.asked += 1
        with Peer(where) as peer:
            peer.send(head)
            end = time.monotonic() + limit * 3 + 10
            while peer.send(record(STDIN, b"x")):
                assert time.monotonic() < end, "it is listened to for ever"
                time.sleep(0.01)
            listened = time.monotonic() - peer.begun
            check_json_error(peer.finish().reply(), 404)
        return listened

    best_of_three(took, limit + 0.5)


# -- reload


def test_reload_loses_no_request(where: str, status: Status, master: int,
                                 may_signal: None) -> None:
    """Each is answered, once, while generations change."""
    before = status.get()["pool_pid"]
    files = open_files(master)
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
        wait_until(lambda: status.get()["pool_pid"] not in (0, before), 60,
                   "there is a new pool process")
        wait_until(lambda: not os.path.exists(f"/proc/{before}"), 120,
                   "the old pool process is gone")
        wait_until(lambda: served[0] > 10, 30, "some are served")
    finally:
        stop.set()
        for thread in callers:
            thread.join()
    assert not wrong, wrong[:3]
    wait_until(lambda: open_files(master) == files, 60,
               "all of its generation is gone")
    # The generation that stood by serves at once, and one that was prepared
    # after the signal follows it.
    wait_until(lambda: stands_by(status), 120, "the reload is over")


def stands_by(status: Status) -> bool:
    """The same generation for a second, or none if none shall."""
    before = status.get()["standby"]
    time.sleep(1)
    return before != 0 and status.get()["standby"] == before


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
