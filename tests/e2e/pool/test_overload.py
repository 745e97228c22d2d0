"""More than the server can take, and a pool that cannot arm a guest. These
start servers of their own, with odd configurations."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest
from client import Client, Reply
from conftest import Status, best_of_three, wait_until
from own_server import Place

pytestmark = pytest.mark.timed


def status_of(place: Place) -> Status:
    return Status(place.assignments()["TERRARIUM_STATUS_URL"])


def test_past_the_backlog_it_is_503(place: Place) -> None:
    """Two run, three wait in the socket's queue, the others are told."""
    started = place("start", WORKERS="2", ARMED="2",
                    CONF_EXTRA="server.backlog=2;"
                    "pool.client_percent=100")
    assert started.returncode == 0, started.stderr
    client, status = place.client(), status_of(place)
    wait_until(lambda: status.pool()["idle"] == 2, 5, "both stand armed")
    replies: list[Reply] = []

    def ask() -> None:
        replies.append(client.request("POST", "/", json.dumps(
            {"code": "import time\ntime.sleep(4)\n1"})))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    good = [r for r in replies if r.status == 200]
    told = [r for r in replies if r.status == 503]
    assert len(good) + len(told) == 12
    assert len(good) == 5, [r.status for r in replies]
    for reply in told:
        assert reply.header("Retry-After") == "1"
        assert reply.code() == "unavailable"
        assert reply.seconds < 3  # before a run ends
    assert min(reply.seconds for reply in told) < 0.5
    for reply in good:
        assert reply.json()["final_expression"] == 1
    assert client.value("1 + 1") == 2
    waited = [r.json()["usage"] for r in good]
    assert sorted(u["armed"] for u in waited) == [False] * 3 + [True] * 2
    assert max(u["queue_ms"] for u in waited) > 900


def test_not_all_arm_at_one_time(place: Place) -> None:
    """When a large pool lost all its workers, those that come after them take
    turns."""
    started = place("start", WORKERS="24", ARMED="24")
    assert started.returncode == 0, started.stderr
    status = status_of(place)
    wait_until(lambda: status.pool()["idle"] == 24, 10, "all stand armed")
    for pid in status.workers("idle"):
        os.kill(pid, signal.SIGKILL)
    most = 0

    def whole() -> bool:
        nonlocal most
        pool = status.pool()
        most = max(most, pool["arming"])
        return pool["idle"] == 24 and most > 0

    wait_until(whole, 20, "all stand armed again")
    assert most <= min(16, max(4, 2 * (os.cpu_count() or 1)))


def test_too_fast_is_429(place: Place) -> None:
    """50 a second, 100 more at once, as the start was told. Asked faster than
    that, for a page that costs nothing."""
    assert place("start", NGINX_RATE="50").returncode == 0
    client = place.client()
    replies: list[Reply] = []

    def ask() -> None:
        for _ in range(60):
            replies.append(client.request("GET", "/", wait=False))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [r for r in replies if r.status == 429]
    assert told, "480 requests at once were let through"
    assert {r.status for r in replies} <= {200, 429, 503}
    assert told[0].header("Retry-After") == "1"
    assert told[0].code() == "too_many_requests"
    time.sleep(2.5)
    assert client.value("1 + 1") == 2


def test_full_pool_still_tells_its_health(place: Place) -> None:
    assert place("start", WORKERS="2", ARMED="2", CONF_EXTRA=
                 "pool.client_percent=100").returncode == 0
    client, status = place.client(), status_of(place)
    socks = [client.begin("import time\ntime.sleep(25)") for _ in range(2)]
    wait_until(lambda: status.busy() == 2, 10, "both are busy")

    def took() -> float:
        reply = client.request("GET", "/health", auth=False)
        assert reply.status == 200 and reply.body == b"hi!"
        return reply.seconds

    best_of_three(took, 0.5)
    assert status.busy() == 2
    for sock in socks:
        sock.close()


def test_health_while_workers_are_arming(place: Place) -> None:
    """After a burst none may be armed for a moment, and requests wait."""
    assert place("start", WORKERS="4", ARMED="1").returncode == 0
    client, done = place.client(), threading.Event()
    ran: list[int] = []

    def run() -> None:
        while not done.is_set():
            ran.append(client.post({"code": "1"}).status)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    told: list[Reply] = []
    while len(told) < 300 or (len(ran) <= 20 and len(told) < 3000):
        told.append(client.request("GET", "/health", auth=False))
    done.set()
    for thread in threads:
        thread.join()
    assert len(ran) > 20 and set(ran) == {200}
    assert {reply.body for reply in told} == {b"hi!"}


def test_service_stops_with_a_reason_and_comes_back(place: Place) -> None:
    """A skeleton with more files than a home holds: no guest can be armed."""
    skeleton = place.prefix.parent / "skeleton"
    skeleton.mkdir()
    skeleton.chmod(0o755)
    for i in range(200):
        (skeleton / f"file{i}").write_text("x")
    assert place("start").returncode == 0
    client, status = place.client(), status_of(place)
    conf = place.prefix / "terrarium.conf"
    good = conf.read_text()
    bad = good + f"[guest]\nskeleton = {skeleton}\n" \
        "[limits]\nhome_inodes = 100\n"
    conf.write_text(bad)
    # A reload with it: the present generation goes on.
    pid = int((place.prefix / "terrariumd.pid").read_text())
    first = status.get()
    reload(pid)
    time.sleep(3)
    for _ in range(20):
        assert client.value("1 + 1") == 2
    assert place("stop").returncode == 0
    # A start with it: no worker serves, and every client is told why.
    extra = (f"guest.preload=json;guest.skeleton={skeleton};"
             "limits.home_inodes=100")
    child = start_without_waiting(place, extra)
    try:
        client = Client(client_url(place), token(place),
                        str(place.prefix / "etc/tls.crt"))
        wait_until(lambda: reason(client) != "", 60, "the reason is told")
        assert "No space left" in reason(client)
        reply = client.request("POST", "/", '{"code": "1 + 1"}')
        assert reply.status == 503 and "No space left" in reply.body.decode()
        assert reply.header("Retry-After")
        # Mended and reloaded, it serves.
        conf.write_text(good)
        reload(int((place.prefix / "terrariumd.pid").read_text()))
        wait_until(lambda: client.request("GET", "/health",
                                          auth=False).status == 200,
                   60, "it serves again")
        # A worker that the new generation replaces may still refuse one.
        wait_until(lambda: client.request(
            "POST", "/", '{"code": "1 + 1"}').status == 200, 5, "it answers")
        assert client.value("1 + 1") == 2
    finally:
        child.terminate()
        child.wait(20)
    assert first["state"] == "serving"


def reload(pid: int) -> None:
    import os
    import signal
    os.kill(pid, signal.SIGHUP)


def start_without_waiting(place: Place, extra: str):
    import subprocess
    from own_server import LOCAL
    return subprocess.Popen(
        [str(LOCAL), "run"], env={**place.env, "CONF_EXTRA": extra},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def client_url(place: Place) -> str:
    return f"https://127.0.0.1:{place.port}"


def token(place: Place) -> str:
    return (place.prefix / "etc/token").read_text().strip()


def reason(client: Client) -> str:
    """The reason that /health gives; "" while there is none."""
    try:
        reply = client.request("GET", "/health", auth=False, timeout=5)
    except OSError:
        return ""
    if reply.status != 503:
        return ""
    words = reply.json()["error"]["message"]
    return "" if "starting" in words or "could not be served" in words \
        else words
