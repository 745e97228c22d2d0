"""The next generation stands by: the processes that fork guests may be
killed, reloaded or grow old, and no request waits for a preload. A reload
that cannot work is reported. Starts servers of its own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from typing import Iterator

import pytest
from client import Client
from conftest import Status, wait_until
from own_server import Place
from sessions import master_of

PATIENCE_S = 180.0  # a busy machine takes seconds to start a generation
# Slow to prepare, so that a hole is seen: seconds of a processor.
SLOW_S = 3
SLOW = f"""import time
end = time.process_time() + {SLOW_S}
while time.process_time() < end:
    pass
"""
MARK = "import preloaded\npreloaded.MARK"


def begin(place: Place, *options: str, code: str = SLOW) \
        -> "tuple[Client, Status]":
    folder = place.prefix.parent / "modules"
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "preloaded.py").write_text(code + "\nMARK = 1\n")
    started = place("start", WORKERS="8", ARMED="4",
                    CONF_EXTRA=";".join((
                        f"guest.python_path={folder}",
                        "guest.preload=preloaded", "guest.freeze=no",
                        *options)))
    assert started.returncode == 0, started.stderr
    return place.client(), Status(
        place.assignments()["TERRARIUM_STATUS_URL"])


def change(place: Place, old: str, new: str) -> None:
    conf = place.prefix / "terrarium.conf"
    text = conf.read_text()
    assert old in text
    conf.write_text(text.replace(old, new))


def log(place: Place) -> str:
    return (place.prefix / "log/terrarium.log").read_text()


def hup(place: Place) -> None:
    os.kill(master_of(place), signal.SIGHUP)


def stands_by(status: Status) -> None:
    wait_until(lambda: status.get().get("standby", 0) != 0, PATIENCE_S,
               "one stands by")


class Load:
    """Clients that ask all the time; how long each waited."""

    def __init__(self, client: Client, clients: int = 4) -> None:
        self.client = client
        self.done = threading.Event()
        self.took: "list[tuple[float, float]]" = []  # when it began, seconds
        self.wrong: "list[object]" = []
        self.threads = [threading.Thread(target=self.ask)
                        for _ in range(clients)]

    def ask(self) -> None:
        while not self.done.is_set():
            begun = time.monotonic()
            try:
                reply = self.client.request("POST", "/",
                                            '{"code": "6 * 7"}', timeout=60)
                if reply.status != 200 or \
                        reply.json()["final_expression"] != 42:
                    self.wrong.append((reply.status, reply.body[:200]))
            except OSError as error:
                self.wrong.append(error)
            self.took.append((begun, time.monotonic() - begun))

    def slowest(self, since: float) -> float:
        return max(took for begun, took in self.took if begun + took >= since)

    def __enter__(self) -> "Load":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        for thread in self.threads:
            thread.join()


@contextlib.contextmanager
def bounded(client: Client, more_s: float) -> Iterator[None]:
    """Within, no request waits MORE_S longer than the slowest before."""
    with Load(client) as load:
        time.sleep(3)
        calm, since = load.slowest(0), time.monotonic()
        yield
        time.sleep(4)
    assert not load.wrong, load.wrong[:3]
    took = load.slowest(since)
    assert took < calm + more_s, (took, calm)


@pytest.mark.timed
@pytest.mark.parametrize("role", ["fork_server", "pool_pid"])
def test_killed_under_load(place: Place, role: str) -> None:
    client, status = begin(place)
    stands_by(status)
    before = status.get()
    with bounded(client, 0.3):
        os.kill(before[role], signal.SIGKILL)
        wait_until(lambda: status.get()["pool_pid"] == before["standby"], 10,
                   "the standby generation serves")
    after = status.get()
    assert after["fork_server"] not in (0, before["fork_server"])
    assert after["generation"] == before["generation"] + 1
    for one in ("pool_pid", "fork_server"):  # the low priority was undone
        assert os.getpriority(os.PRIO_PROCESS, after[one]) == 0
    stands_by(status)
    assert status.get()["standby"] != before["standby"]


@pytest.mark.timed
def test_two_kills_within_a_second(place: Place) -> None:
    """The second one finds nothing that stands by: somebody waits for the
    preload, and no client is refused."""
    client, status = begin(place)
    stands_by(status)
    before = status.get()
    with Load(client) as load:
        time.sleep(1)
        os.kill(before["fork_server"], signal.SIGKILL)
        wait_until(lambda: status.get()["pool_pid"] not in
                   (0, before["pool_pid"]), 0.9, "another serves")
        second = status.get()
        os.kill(second["pool_pid"], signal.SIGKILL)
        wait_until(lambda: status.get()["pool_pid"] not in
                   (0, before["pool_pid"], second["pool_pid"]), PATIENCE_S,
                   "a third serves")
        time.sleep(1)
    assert not load.wrong, load.wrong[:3]
    stands_by(status)


def test_the_one_that_stands_by_is_killed(place: Place) -> None:
    client, status = begin(place)
    stands_by(status)
    before = status.get()
    os.kill(before["standby"], signal.SIGKILL)
    wait_until(lambda: status.get()["standby"] not in
               (0, before["standby"]), PATIENCE_S, "another stands by")
    after = status.get()
    assert after["pool_pid"] == before["pool_pid"]
    assert after["generation"] == before["generation"]
    assert client.value("1 + 1") == 2


@pytest.mark.timed
def test_a_reload_of_the_same_is_quick(place: Place) -> None:
    """The standby generation serves at once. The changed module serves when
    it is prepared, and then another generation stands by."""
    client, status = begin(place)
    stands_by(status)
    before = status.get()
    module = place.prefix.parent / "modules/preloaded.py"
    module.write_text(module.read_text().replace("MARK = 1", "MARK = 2"))
    hup(place)
    wait_until(lambda: status.get()["pool_pid"] == before["standby"],
               SLOW_S / 2, "the standby generation serves")
    wait_until(lambda: client.value(MARK) == 2, PATIENCE_S, "the new module")
    stands_by(status)
    assert status.get()["generation"] == before["generation"] + 2


def test_a_changed_configuration_serves(place: Place) -> None:
    """The standby generation of the old configuration does not serve."""
    client, status = begin(place)
    stands_by(status)
    before = status.get()
    change(place, "preload = preloaded", "preload = json")
    hup(place)
    wait_until(lambda: client.value("import sys\n'preloaded' in sys.modules")
               is False, PATIENCE_S, "the new preload is in force")
    # The master is told a moment later than the first request is served.
    wait_until(lambda: status.get()["generation"] == before["generation"] + 1,
               10, "the status names the new generation")
    after = status.get()
    assert after["pool_pid"] not in (before["pool_pid"], before["standby"])
    stands_by(status)
    standby = status.get()["standby"]
    assert standby != before["standby"]
    os.kill(after["pool_pid"], signal.SIGKILL)
    wait_until(lambda: status.get()["pool_pid"] == standby, 10, "it serves")
    assert client.value("import sys\n'preloaded' in sys.modules") is False


def test_reloads_faster_than_a_start(place: Place) -> None:
    """The one that is being prepared is finished, and serves; the status
    names the generation that serves."""
    client, status = begin(place, "pool.standby=no")
    first = status.get()
    end = time.monotonic() + PATIENCE_S
    with Load(client, 2) as load:
        while status.get()["generation"] < 3:
            assert time.monotonic() < end, "no new generation came to serve"
            hup(place)
            time.sleep(SLOW_S / 2)
    assert status.get()["fork_server"] != first["fork_server"]
    assert not load.wrong, load.wrong[:3]
    said = status.get()
    total = said["counters"]["generations_total"]
    assert said["generation"] == total or \
        status.get()["counters"]["generations_total"] > total
    assert os.path.exists(f"/proc/{said['fork_server']}")


def test_without_one(place: Place) -> None:
    client, status = begin(place, "pool.standby=no")
    time.sleep(SLOW_S + 3)
    said = status.get()
    assert said["standby"] is None
    assert len(re.findall("generation is prepared", log(place))) == 1
    os.kill(said["pool_pid"], signal.SIGKILL)
    wait_until(lambda: status.get()["pool_pid"] not in (0, said["pool_pid"]),
               PATIENCE_S, "the next one serves")
    assert client.value("1 + 1") == 2


def test_what_it_costs_is_told_once(place: Place) -> None:
    client, status = begin(place, "pool.generation_age_s=2")
    wait_until(lambda: status.get()["generation"] >= 4, PATIENCE_S, "old")
    told = re.findall(r"measured: memory_mb=(\d+)", log(place))
    assert len(told) == 1 and 4 <= int(told[0]) <= 2000, told
    assert client.value("1 + 1") == 2


BROKEN = "import time\nraise RuntimeError('the wheel came off')\n"


@pytest.mark.parametrize("standby", ["yes", "no"])
def test_a_reload_that_cannot_work(place: Place, standby: str) -> None:
    """The old generation serves, and it is said why: in the status, /health,
    a metric and the log, once. Tries become rare."""
    client, status = begin(place, f"pool.standby={standby}", code="")
    if standby == "yes":
        stands_by(status)
    module = place.prefix.parent / "modules/preloaded.py"
    good = module.read_text()
    module.write_text(BROKEN)
    assert client.request("GET", "/health").body == b"hi!"
    hup(place)
    wait_until(lambda: "the wheel came off" in status.get()["reason"],
               PATIENCE_S, "the status has the reason")
    said = status.get()
    assert said["state"] == "serving"
    reply = client.request("GET", "/health")
    assert reply.status == 200 and reply.body.startswith(b"hi! ")
    assert b"the wheel came off" in reply.body

    def metric(name: str) -> float:
        text = status.client.request("GET", "/metrics") \
            .body.decode()
        found = re.search(rf"^terrarium_{name} (\S+)$", text, re.M)
        assert found, text
        return float(found[1])

    assert metric("reload_failing") == 1
    end = time.monotonic() + 30
    while time.monotonic() < end:
        assert client.value("1 + 1") == 2
        time.sleep(0.5)
    tries = metric("generation_failures_total")
    assert 2 <= tries <= 5, tries
    lines = [line for line in log(place).splitlines()
             if "the wheel came off" in line]
    assert 1 <= len(lines) <= 2, lines
    module.write_text(good)
    hup(place)  # an operator need not wait for the next try
    wait_until(lambda: metric("reload_failing") == 0, PATIENCE_S, "mended")
    assert status.get()["reason"] == ""
    assert client.request("GET", "/health").body == b"hi!"


def test_nobody_else_is_harmed_by_a_standby_that_fails(place: Place) -> None:
    client, status = begin(place)
    module = place.prefix.parent / "modules/preloaded.py"
    module.write_text(BROKEN)
    wait_until(lambda: status.get()["reason"] != "" or
               status.get()["standby"] != 0, PATIENCE_S, "it was tried")
    before = status.get()
    if before["standby"]:  # it had been read already
        os.kill(before["standby"], signal.SIGKILL)
        wait_until(lambda: status.get()["reason"] != "", PATIENCE_S, "told")
    assert status.get()["state"] == "serving"
    assert status.get()["pool_pid"] == before["pool_pid"]
    assert client.value("1 + 1") == 2
