"""Large bodies: a worker holds one buffer as large as the body, whatever is
in it, and nothing of a file that it sends back.

The worker's own memory is watched from outside while requests are under way,
against a bound that follows from server.body_mb.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path
from typing import Callable, Optional

import pytest
from client import JSON, MEGABYTE, Client, Reply, b64
from conftest import Status, wait_until
from own_server import Place

BODY_MB = 32
FILE = BODY_MB * MEGABYTE // 4 * 3 - 3000  # bytes that fit, as base64
ROOM_KB = 6 << 10  # a worker's other memory, and pages not counted yet
LINGER_S = 0.3     # of a program, to be looked at

SIZE = f"import os, time; time.sleep({LINGER_S}); os.path.getsize('in')"


class Watch:
    """The memory of a worker and its peak, in kB above where it began."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.begun = self.read("RssAnon")
        self.resident = self.read("VmHWM")
        self.peak = 0
        self.samples: list[int] = []
        self.times: list[float] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def read(self, name: str) -> int:
        text = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(rf"^{name}:\s+(\d+)", text, re.M)
        if found is None:
            raise ProcessLookupError(self.pid)  # it is a zombie
        return int(found[1])

    def run(self) -> None:
        """The high-water mark misses nothing that came before; a peak after
        the last look is short."""
        try:
            while not self.over.wait(0.002):
                self.peak = max(self.peak, self.read("VmHWM") - self.resident)
                self.samples.append(self.read("RssAnon") - self.begun)
                self.times.append(time.monotonic())
        except OSError:
            pass  # it has ended

    def low_s(self) -> float:
        """For how long it was small again after it had been largest."""
        largest = self.samples.index(max(self.samples))
        low = [at for at, kb in zip(self.times[largest:],
                                    self.samples[largest:]) if kb <= ROOM_KB]
        return low[-1] - low[0] if low else 0.0

    def __enter__(self) -> Watch:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


class Server:
    """One armed worker at a time, so that it is the one that will serve."""

    def __init__(self, place: Place) -> None:
        started = place("start", WORKERS="2", ARMED="1", CONF_EXTRA=
                        f"server.body_mb={BODY_MB};limits.home_mb=64;"
                        "limits.files_out_mb=64;limits.memory_mb=512")
        assert started.returncode == 0, started.stderr
        self.client: Client = place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])

    def ask(self, body: bytes) -> tuple[Reply, Watch]:
        wait_until(lambda: self.status.busy() == 0 and
                   self.status.pool()["idle"] == 1, 10, "one stands armed")
        try:
            watch = Watch(self.status.workers("idle")[0])
        except PermissionError:
            pytest.skip("the memory of a worker is for root to read")
        with watch:
            reply = self.client.request("POST", "/", body, JSON)
        assert reply.status == 200, reply.body[:500]
        return reply, watch


def request(code: str, **more: object) -> bytes:
    return json.dumps({"code": code, **more}).encode()


def a_file(content: bytes, code: str = SIZE, escaped: bool = False) -> bytes:
    text = b64(content)
    if escaped:  # as some encoders of JSON write it
        text = text.replace("/", "\\/")
    return request(code, files=[{"filename": "in", "b64_data": "@"}]).replace(
        b'"@"', f'"{text}"'.encode())


def fill(most: int = BODY_MB * MEGABYTE) -> str:
    return "x" * (most - 4096)


def linger(value: str) -> str:
    return f"import os, sys, time\ntime.sleep({LINGER_S})\n{value}"


# The large part, the body, and the value that proves its arrival.
SHAPES: dict[str, Callable[[], tuple[bytes, Optional[int]]]] = {
    "file": lambda: (a_file(os.urandom(FILE)), FILE),
    "file, escaped": lambda: (
        a_file(b"\xff" * (FILE // 2), escaped=True), FILE // 2),
    "stdin": lambda: (
        request(linger("len(sys.stdin.read())"), stdin=fill()),
        len(fill())),
    "code": lambda: (request(linger("7") + "\n#" + fill()), None),
    "arguments": lambda: (
        request(linger("def main(text): return len(text)"),
                arguments={"text": fill()}), len(fill())),
    "env": lambda: (
        request(linger("len(os.environ['A'])"),
                env={"A": fill(MEGABYTE), "B": fill(BODY_MB * MEGABYTE // 2)}),
        len(fill(MEGABYTE))),
    "a field of no meaning": lambda: (
        request(linger("7"), other=[fill()]), 7),
    "refused": lambda: (
        a_file(os.urandom(FILE)).replace(b'=="', b'=*"').replace(
            b'"in"', b'"../in"'), None),
}


def test_one_buffer_is_all(place: Place) -> None:
    server = Server(place)
    for name, shape in SHAPES.items():
        body, value = shape()
        reply, watch = server.ask(body)
        print(f"{name}: {len(body) >> 10} kB sent, peak {watch.peak} kB")
        assert watch.samples, name
        assert watch.peak <= BODY_MB * 1024 + ROOM_KB, (name, watch.peak)
        if value is not None:
            assert reply.json().get("final_expression") == value, (
                name, reply.body[:500])


def test_a_file_is_not_kept_in_memory(place: Place) -> None:
    """In, out, in and out: each is right, and while the program runs the
    worker has given its buffer back."""
    server = Server(place)
    content = os.urandom(FILE)

    reply, watch = server.ask(a_file(content))
    assert reply.json()["final_expression"] == FILE
    assert reply.files() == {}  # it is as it was
    print(f"in: peak {watch.peak} kB, small again for {watch.low_s():.2f} s")
    assert watch.low_s() > LINGER_S / 2

    reply, watch = server.ask(a_file(content, "os = __import__('os')\n"
                                     "with open('in', 'r+b') as f:\n"
                                     "    f.seek(-1, 2); f.write(b'!')"))
    assert reply.files() == {"in": content[:-1] + b"!"}
    assert watch.peak <= BODY_MB * 1024 + ROOM_KB

    reply, watch = server.ask(request(
        f"open('out', 'wb').write(b'0123456789abcdef' * {2 * MEGABYTE})"))
    assert reply.files() == {"out": b"0123456789abcdef" * 2 * MEGABYTE}
    print(f"out: peak {watch.peak} kB, its own {max(watch.samples)} kB")
    assert max(watch.samples) <= ROOM_KB


def test_files_end_where_records_do(place: Place) -> None:
    """A record of an answer holds 49146 bytes of a file, as base64."""
    code = ("for size in {0}:\n    with open(f'f{{size}}', 'wb') as f:\n"
            "        f.write(bytes(i * 7 % 251 for i in range(size)))\n")
    sizes = [0, 1, 2, 49144, 49145, 49146, 49147, 49148, 98291, 98292, 98293]
    reply, _ = Server(place).ask(request(code.format(sizes)))
    pattern = bytes(i * 7 % 251 for i in range(max(sizes)))
    assert reply.files() == {f"f{size}": pattern[:size] for size in sizes}
