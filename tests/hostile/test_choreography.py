"""Attacks that take more than one request, or a hand from outside."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import pytest
from attack import load, part
from canary import Canary, sing
from client import JSON, Client, head
from conftest import wait_until
from invariants import Guard, look_strangers
from pace import SLOWER

ATTACKS = {attack.name.split("_")[0]: attack for attack in load()}
KILLS = 20
GONE_S = 1.5 * SLOWER  # within which a run must end after its client has left
SPIN = "while True:\n    pass\n"


def slots(status: Any) -> int:
    return status.pool()["workers_max"]


def clean(guard: Guard) -> None:
    left = guard.check([], 100)
    assert not left, left


@pytest.mark.attack("L01_poison_then_probe")
def test_traces_do_not_reach_the_next(client: Client, status: Any,
                                      guard: Guard,
                                      secrets: list[bytes]) -> None:
    """Traces in every place, then a look from every slot of the pool."""
    guard.mark()
    attack = ATTACKS["K01"]
    for _ in range(3):
        reply = client.post(attack.request(secrets, "poison"))
        assert reply.json()["success"], reply.json()
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: guard.ask(),
                                  range(2 * slots(status))))
        assert all(one == guard.clean for one in found)
    clean(guard)


@pytest.mark.attack("L02_twins")
def test_twins_draw_different_numbers(client: Client,
                                      secrets: list[bytes]) -> None:
    fields = ATTACKS["K02"].request(secrets, "twin")
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: client.value(**fields), range(8)))
    for column in zip(*drawn):
        assert len(set(column)) == len(drawn), column


@pytest.mark.attack("L04_all_slots_taken")
def test_full_pool_says_so_or_serves(client: Client, status: Any,
                                     guard: Guard) -> None:
    """One client takes every slot that it may have (pool.client_percent);
    its next request is served when they are free again, or told to come
    back. It never just hangs."""
    guard.mark()
    status.settled()
    limit_s = min(6.0 * SLOWER, 20)
    count = slots(status) // 2
    begun = time.monotonic()
    with ThreadPoolExecutor(count) as pool:
        runs = [pool.submit(client.run, SPIN,
                            timeout_ms=int(limit_s * 1000))
                for _ in range(count)]
        wait_until(lambda: status.busy() == count, 5.5, "all are taken")
        reply = client.post({"code": "1 + 1"}, timeout=60)
        took = time.monotonic() - begun
        ended = [run.result().json() for run in runs]
    if reply.status == 503:
        assert reply.header("retry-after") is not None
    else:
        assert reply.json()["final_expression"] == 2
    # Each run's clock starts when it is handed over.
    assert took < 2 * limit_s + 2 * SLOWER, took
    assert all(one["error"]["type"] == "timeout" for one in ended)
    wait_until(lambda: status.busy() == 0, 10, "the slots are free")
    clean(guard)


def leave_after_head(client: Client) -> None:
    sock = client.socket()
    sock.sendall(head("POST", "/", {"Host": client.host, **JSON,
                                    **client.credentials()}, 1000))
    sock.close()


def leave_in_body(client: Client) -> None:
    sock = client.socket()
    sock.sendall(head("POST", "/", {"Host": client.host, **JSON,
                                    **client.credentials()}, 1000))
    sock.sendall(b'{"code": "wh')
    sock.close()


def leave_after_body(client: Client) -> None:
    client.begin(SPIN).close()


def leave_while_running(client: Client) -> None:
    sock = client.begin(SPIN)
    time.sleep(0.15)
    sock.close()


LEAVERS: dict[str, Callable[[Client], None]] = {
    "head": leave_after_head, "in-body": leave_in_body,
    "body": leave_after_body, "running": leave_while_running}


@pytest.mark.timed
@pytest.mark.attack("L05_clients_leave")
@pytest.mark.parametrize("when", LEAVERS)
def test_clients_that_leave(when: str, client: Client, status: Any,
                            guard: Guard) -> None:
    guard.mark()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: LEAVERS[when](client), range(12)))
    wait_until(lambda: status.busy() == 0, 12 * GONE_S / 4 + GONE_S,
               "no run without a client")
    clean(guard)


@pytest.mark.attack("L07_memory_held")
def test_memory_held_beside(client: Client, guard: Guard) -> None:
    """One program sits on all but the last of its memory; its neighbour
    computes and draws."""
    guard.mark()
    code = part("hold_all_memory")
    with Canary(client) as canary:
        answer = client.run(code).json()
    assert canary.trouble is None, canary.trouble
    assert answer["success"] and answer["final_expression"] > 100, answer
    clean(guard)


@pytest.mark.attack("L08_words_of_others")
def test_no_word_of_another_request(client: Client, guard: Guard,
                                    secrets: list[bytes]) -> None:
    """Two programs at a time look through their own memory for the words of
    the other's request, and of their own one's head."""
    guard.mark()
    fields = ATTACKS["E02"].request(secrets, "look")
    for _ in range(3):
        with Canary(client), ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda _: client.run(**fields).json(),
                                    range(2)))
        for answer in answers:
            assert answer["success"], answer["error"]
            assert "CONTAINED" in answer["std_out"], answer["std_out"]
            assert "ESCAPED" not in answer["std_out"], answer["std_out"]
    clean(guard)


def test_the_search_finds_what_is_there(client: Client,
                                        secrets: list[bytes]) -> None:
    """The program above can find a word: it is given one."""
    fields = ATTACKS["E02"].request(secrets + [b"planted-" + b"5e1f"],
                                    "look")
    fields["code"] = "plant = 'planted-' + '5e1f' * 1\nplant += 'x'\n" + \
        fields["code"]
    out = client.run(**fields).json()["std_out"]
    assert out.startswith("ESCAPED"), out


# ---- a hand from outside ---------------------------------------------------


def guests(family: Callable[[], list[Any]], status: Any) -> list[int]:
    """The later-born child of each busy worker is its guest."""
    busy = set(status.workers("busy"))
    last: dict[int, int] = {}
    for process in family():
        if process.parent in busy:
            last[process.parent] = max(process.pid,
                                       last.get(process.parent, 0))
    return list(last.values())


@pytest.mark.attack("L11_guest_killed")
def test_guest_killed_at_any_moment(client: Client, status: Any,
                                    guard: Guard, may_signal: None,
                                    family: Callable[[], list[Any]]
                                    ) -> None:
    """Each answer is well-formed and says how it ended."""
    guard.mark()
    chance = random.Random(11)
    code = ("import time\nprint('begun', flush=True)\n"
            "open('f', 'w').write('x')\ntime.sleep(0.03)\n'end'")
    kinds = set()
    for _ in range(KILLS):
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(client.post, {"code": code})
            time.sleep(chance.uniform(0, 0.06))
            for pid in guests(family, status):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            reply = run.result()
        assert not list(guard.check_reply(reply)), reply.body[:300]
        answer = reply.json()
        kinds.add("ok" if answer["success"] else answer["error"]["type"])
    assert kinds <= {"ok", "killed"}, kinds
    clean(guard)


@pytest.mark.timed
@pytest.mark.attack("L12_worker_killed")
def test_workers_killed_while_running(client: Client, status: Any,
                                      guard: Guard,
                                      may_signal: None) -> None:
    """The client is told, the guest dies with its worker, others go on."""
    for _ in range(5):
        status.settled()  # or it is the canary's worker that is met
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(client.post, {"code": SPIN,
                                            "timeout_ms": 8000})
            wait_until(lambda: status.busy() == 1, 3, "it runs")
            for pid in status.workers("busy"):
                os.kill(pid, signal.SIGKILL)
            reply = run.result()
        assert reply.status in (502, 503), reply.status
        assert reply.json()["error"], reply.body
        assert reply.seconds < 4 * SLOWER, reply.seconds
        sing(client)
    wait_until(lambda: not look_strangers(guard), 5, "no process is left")
    clean(guard)


@pytest.mark.attack("L12_idle_workers_killed")
def test_idle_workers_killed(client: Client, status: Any, guard: Guard,
                             may_signal: None) -> None:
    """No storm of new ones, and the pool fills again."""
    status.settled()
    before = status.get()["counters"]["forks_total"]
    for pid in status.workers("idle"):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_until(lambda: status.pool()["idle"] == guard.idle, 5,
               "the pool is armed again")
    assert status.get()["counters"]["forks_total"] - before <= \
        4 * guard.idle
    sing(client)
    clean(guard)


@pytest.mark.attack("L10_sockets_of_the_server")
def test_sockets_are_not_for_everybody(guard: Guard) -> None:
    """A process that may write to the FastCGI socket needs no token."""
    for option in ("server.socket", "server.status_socket"):
        path = guard.options.get(option)
        if path is None:
            pytest.skip("the server's configuration is not at hand")
        status = os.stat(path)
        assert status.st_mode & 0o007 == 0, oct(status.st_mode)
        folder = os.stat(os.path.dirname(path))
        assert folder.st_mode & 0o022 == 0, oct(folder.st_mode)


def short_attacks() -> list[str]:
    """Those that end soon, in no order."""
    names = [name for name, attack in ATTACKS.items()
             if "timeout" not in attack.outcomes and
             name not in ("G04", "H11", "J03b")]
    random.Random(6).shuffle(names)
    return names


@pytest.mark.attack("L06_mixed_flood")
def test_mixed_flood(client: Client, guard: Guard,
                     secrets: list[bytes]) -> None:
    """All that end soon, four at a time and in no order, beside a canary:
    every answer is in one piece, and nothing is left."""
    guard.mark()
    names = short_attacks()

    def attack(name: str) -> list[str]:
        fields = ATTACKS[name].request(secrets, "flood")
        reply = client.request("POST", "/", json.dumps(fields), JSON)
        return [f"{name}: {word}" for word in guard.check_reply(reply)]

    with Canary(client) as canary, ThreadPoolExecutor(4) as pool:
        trouble = sum(pool.map(attack, names), [])
    assert not trouble, trouble
    assert canary.trouble is None, canary.trouble
    left = guard.check([], len(names) * 2 + len(canary.times))
    assert not left, left


def worst(times: list[float]) -> float:
    """The slowest but one in a hundred."""
    return sorted(times)[-1 - len(times) // 100]


def apart(work: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
    """Do WORK in a process of its own, so that none waits for another's
    interpreter. Returns a function that waits for the result."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=lambda: theirs.send(work()))
    process.start()
    theirs.close()

    def wait() -> list[Any]:
        try:
            return ours.recv()
        finally:
            process.join()

    return wait


def sing_for(client: Client, seconds: float) -> list[float]:
    """A canary once a second."""
    with Canary(client, 1) as canary:
        time.sleep(seconds)
    assert canary.trouble is None, canary.trouble
    return canary.times


def be_far_away() -> None:
    """The attackers' own processor time is not the server's."""
    os.setsid()
    os.nice(19)
    with contextlib.suppress(OSError):  # where sessions are scheduled
        Path("/proc/self/autogroup").write_text("19")


def flood(client: Client, guard: Guard, secrets: list[bytes],
          seconds: float) -> list[str]:
    """Ten attacks a second; the faults of their answers."""
    names, count = short_attacks(), int(seconds * 10)
    be_far_away()

    def attack(turn: int) -> list[str]:
        name = names[turn % len(names)]
        fields = ATTACKS[name].request(secrets, "flood")
        reply = client.request("POST", "/", json.dumps(fields), JSON)
        return [f"{name}: {word}" for word in guard.check_reply(reply)]

    with ThreadPoolExecutor(32) as pool:
        begun, running = time.monotonic(), []
        for turn in range(count):
            time.sleep(max(0, begun + turn / 10 - time.monotonic()))
            running.append(pool.submit(attack, turn))
        return sum((one.result() for one in running), [])


@pytest.mark.attack("L06_for_minutes")
def test_flood_for_minutes(client: Client, guard: Guard,
                           secrets: list[bytes]) -> None:
    """Ten attacks a second, a canary once a second: never wrong, and its
    slowest percent less than twice as slow as beside nothing."""
    seconds = float(os.environ.get("FLOOD_S", 0))
    if not seconds:
        pytest.skip("takes minutes on a quiet machine: FLOOD_S=600")
    guard.mark()
    alone = apart(lambda: sing_for(client, min(60, seconds)))()
    flooding = apart(lambda: flood(client, guard, secrets, seconds))
    beside = apart(lambda: sing_for(client, seconds))()
    trouble = flooding()
    assert not trouble, trouble[:20]
    print(f"{int(seconds * 10)} attacks; canary {len(beside)} times, slowest "
          f"percent {worst(beside) / worst(alone):.2f} x")
    assert worst(beside) < 2 * worst(alone)
    left = guard.check([], int(seconds * 20) + len(beside))
    assert not left, left
