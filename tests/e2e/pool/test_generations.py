"""Generations of workers: each has an address layout of its own, and ends by
its number of forks, by age and by reload, without a request that fails."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from client import Client
from conftest import Status, below, has_ended, wait_until
from own_server import Place

PATIENCE_S = 180.0  # a busy machine takes seconds to start a generation
# The layout of frozen memory is a generation's own, too.
FROZEN = "guest.freeze=yes;"
WHERE = "import json\n[hex(id(None)), hex(id(json))]"


def begin(place: Place, extra: str) -> tuple[Client, Status]:
    started = place("start", CONF_EXTRA=extra)
    assert started.returncode == 0, started.stderr
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    # Workers can answer a moment before the master counts their generation.
    wait_until(lambda: status.get()["generation"] == 1, 20, "it is counted")
    return place.client(), status


def test_by_number_of_forks(place: Place) -> None:
    client, status = begin(place, FROZEN + "pool.generation_forks=40")
    first = status.get()["generation"]
    layouts = set()
    end = time.monotonic() + PATIENCE_S
    while len(layouts) < 3 and time.monotonic() < end:
        layouts.add(tuple(client.value(WHERE)))
    assert len(layouts) >= 3, "the layout does not change"
    wait_until(lambda: status.get()["generation"] >= first + 2, 20,
               "they are counted")
    for part in zip(*layouts):
        assert len(set(part)) == len(layouts)


def test_by_age(place: Place) -> None:
    client, status = begin(place, "pool.generation_age_s=2")
    first = status.get()["generation"]
    end = time.monotonic() + PATIENCE_S
    while status.get()["generation"] < first + 2:
        assert time.monotonic() < end, "they do not grow old"
        assert client.value("1 + 1") == 2


def test_within_a_generation_only_chance_differs(place: Place) -> None:
    """As documented, children of one pool process share addresses."""
    client, _ = begin(place, FROZEN + "guest.preload=json random uuid numpy")
    assert client.value(WHERE) == client.value(WHERE)
    code = ("import random, uuid, secrets, tempfile\nimport numpy as np\n"
            "[random.random(), np.random.rand(), str(uuid.uuid4()), "
            "secrets.token_hex(), tempfile.mktemp(), "
            "float(np.random.default_rng().random())]")
    one, two = client.value(code), client.value(code)
    assert not set(one) & set(two)


def test_reloads_under_load(place: Place) -> None:
    client, status = begin(place, FROZEN)
    pid = int((place.prefix / "terrariumd.pid").read_text())
    wrong: list[object] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            reply = client.request("POST", "/", '{"code": "6 * 7"}')
            if reply.status != 200 or \
                    reply.json()["final_expression"] != 42:
                wrong.append((reply.status, reply.body[:200]))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(2):
            before = status.get()["pool_pid"]
            os.kill(pid, signal.SIGHUP)
            wait_until(lambda: not Path(f"/proc/{before}").exists(),
                       PATIENCE_S, "a new generation stands")
    finally:
        done.set()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]


@pytest.mark.parametrize("workers", ["2", "20"])
def test_a_reload_keeps_the_number_of_workers(place: Place,
                                              workers: str) -> None:
    """Slots were made for so many at the start; the rest is taken over."""
    client, status = begin(place, "pool.workers=8;pool.armed=2;"
                           "guest.preload=numpy")
    conf = place.prefix / "terrarium.conf"
    text = conf.read_text()
    assert "workers = 8" in text and "preload = numpy" in text
    conf.write_text(text.replace("workers = 8", f"workers = {workers}")
                    .replace("preload = numpy", "preload = json"))
    first = status.get()["generation"]
    os.kill(int((place.prefix / "terrariumd.pid").read_text()),
            signal.SIGHUP)
    wait_until(lambda: client.value("import sys\n'numpy' in sys.modules")
               is False, 60, "the new preload is in force")
    pool = status.get()
    assert pool["generation"] == first + 1
    assert pool["pool"]["workers_max"] == 8
    for _ in range(20):
        assert client.value("1 + 1") == 2


def test_a_storm_of_signals(place: Place) -> None:
    client, status = begin(place, "")
    pid = int((place.prefix / "terrariumd.pid").read_text())
    for i in range(100):
        os.kill(pid, (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)[i % 3])
        time.sleep(0.005)
    for _ in range(30):
        assert client.value("1 + 1") == 2
    wait_until(lambda: status.get()["state"] == "serving" and
               status.pool()["idle"] >= 4, PATIENCE_S, "the pool is whole")


def test_quit_lets_a_run_finish(place: Place) -> None:
    client, status = begin(place, "")
    status.settled()
    pid = int((place.prefix / "terrariumd.pid").read_text())
    answers: list[object] = []

    def ask() -> None:
        answers.append(client.value("import time\ntime.sleep(12)\n5"))

    thread = threading.Thread(target=ask)
    thread.start()
    wait_until(lambda: status.busy() == 1, 10, "it runs")
    os.kill(pid, signal.SIGQUIT)
    thread.join()
    assert answers == [5]
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), 20, "it has ended")


def test_kill_of_the_master_leaves_nothing(place: Place) -> None:
    """Its children see the end of their pipes and go."""
    client, status = begin(place, "")
    pid = int((place.prefix / "terrariumd.pid").read_text())
    family = [p.pid for p in below(pid)]
    assert len(family) > 8
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: all(map(has_ended, family)), 20, "all are gone")
    place("stop")
    # The next start removes its remains.
    client, status = begin(place, "")
    assert client.value("1 + 1") == 2
