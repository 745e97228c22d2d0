"""Large answers that are not read do not fill the disk, and keep no other
client waiting."""

from __future__ import annotations

import os
import time
from pathlib import Path

from conftest import wait_until
from own_server import Place
from test_client_share import begin, client_of

READERS = 24
ANSWER_MB = 28     # of a file that costs the guest nothing; sent as base64
TEMP_MB = 16       # nginx.conf.example: fastcgi_max_temp_file_size
SPARSE = f"open('big', 'wb').truncate({ANSWER_MB} << 20)"


def on_disk_mb(place: Place) -> float:
    """Of nginx's temporary files, which have no names any more."""
    master = int((place.prefix / "nginx.pid").read_text())
    sizes = {}
    children = Path(f"/proc/{master}/task/{master}/children").read_text()
    for pid in children.split():
        for fd in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{fd}"
            try:
                if "/fastcgi/" in os.readlink(path):
                    info = os.stat(path)
                    sizes[info.st_ino] = info.st_blocks * 512
            except OSError:
                pass
    return sum(sizes.values()) / (1 << 20)


def test_answers_that_are_not_read(place: Place) -> None:
    status = begin(place)
    slow, other = client_of(place, "slow"), client_of(place, "other")
    socks = [slow.begin(SPARSE) for _ in range(READERS)]
    most, end = 0.0, time.monotonic() + 10
    while time.monotonic() < end:
        most = max(most, on_disk_mb(place))
        time.sleep(0.1)
    assert status.busy() <= 8
    reply = other.request("POST", "/", '{"code": "1 + 1"}')
    assert reply.status == 200 and reply.seconds < 3
    for sock in socks:
        sock.close()
    assert most > 1, "the measure sees what lies there"
    assert most <= READERS * (TEMP_MB + 1), most
    assert most / READERS < ANSWER_MB * 4 / 3 / 2, most
    wait_until(lambda: on_disk_mb(place) < 1, 20, "the disk is free again")


def test_more_than_the_limit_is_dropped(place: Place) -> None:
    """A file counts by the bytes that would be sent."""
    begin(place)
    reply = place.client().run("open('big', 'wb').truncate(33 << 20)")
    assert reply.status == 200
    assert "big" not in reply.files()
    assert len(reply.body) < 1 << 20


def test_a_large_answer_comes_whole(place: Place) -> None:
    begin(place)
    reply = place.client().run(SPARSE)
    assert len(reply.files()["big"]) == ANSWER_MB << 20
