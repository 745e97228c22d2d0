"""Every program of programs/: it ends as it may, reports that it was
contained, answers in one piece, and leaves nothing behind. Beside it a
harmless program runs, and its answer must stay right."""

from __future__ import annotations

import json
import os
import platform
import secrets as random_words
import statistics
from typing import Any, Callable

import pytest
from attack import Attack, escapes, load, outcome
from canary import WORD, Canary, median
from client import JSON, Client, Reply
from conftest import COOKIE, QUERY
from crew import Crews, Judged, selected, together
from invariants import Guard
from pace import EMULATED, SLOWER

ATTACKS = load()
BY_NAME = {attack.name: attack for attack in ATTACKS}
LATE_S = 10.0 * SLOWER  # past a run's limit, for the answer


def send(client: Client, attack: Attack, secrets: list[bytes],
         marker: str) -> Reply:
    fields = attack.request(secrets, marker)
    return client.request("POST", f"/?word={QUERY}", json.dumps(fields),
                          {**JSON, "Cookie": f"session={COOKIE}",
                           "X-Forwarded-For": "192.0.2.1"}, timeout=60 * SLOWER)


# ---- further checks of single programs ------------------------------------


def text_kept(words: str) -> Callable[[dict[str, Any], Reply], None]:
    def check(answer: dict[str, Any], _: Reply) -> None:
        assert words in answer["std_out"], answer["std_out"][:200]
    return check


def final_is(value: Any) -> Callable[[dict[str, Any], Reply], None]:
    def check(answer: dict[str, Any], _: Reply) -> None:
        if answer["success"]:
            assert answer["final_expression"] == value
    return check


def files_within(*names: str) -> Callable[[dict[str, Any], Reply], None]:
    def check(_: dict[str, Any], reply: Reply) -> None:
        assert set(reply.files()) <= set(names), list(reply.files())
    return check


def nothing_forged(answer: dict[str, Any], reply: Reply) -> None:
    assert "forged" not in answer, answer
    assert answer.get("final_expression") != "forged"
    assert not reply.files()
    assert answer["usage"]["cpu_ms"] >= 0 and answer["id"]


def swapped(_: dict[str, Any], reply: Reply) -> None:
    files = reply.files()
    assert set(files) <= {"out.txt", "t1"}, list(files)
    assert all(content in (b"ok", b"") for content in files.values()), files


def bounded_files(answer: dict[str, Any], reply: Reply) -> None:
    total = sum(map(len, reply.files().values()))
    assert total <= 256 << 20, total
    assert answer["truncated"]["output_files"] > 0


def safe_names(_: dict[str, Any], reply: Reply) -> None:
    for name in reply.files():
        assert name and "/" not in name and name not in (".", ".."), name


def readable_modes(_: dict[str, Any], reply: Reply) -> None:
    assert set(reply.files()) <= {"z", "zd/a"}, list(reply.files())


def flood_cut(answer: dict[str, Any], _: Reply) -> None:
    assert len(answer["std_out"]) <= 1 << 20
    assert answer["truncated"]["std_out"] > 0


def odd_numbers(answer: dict[str, Any], _: Reply) -> None:
    value = answer["final_expression"]
    assert value == [None, None, None, -0.0, None, "1j"], value


def odd_text(answer: dict[str, Any], _: Reply) -> None:
    assert "\ufffd" in answer["std_out"] and \
        "\ufffd" in answer["final_expression"]


CHECKS: dict[str, Callable[[dict[str, Any], Reply], None]] = {
    "E04": final_is(2), "F03": nothing_forged, "F04": nothing_forged,
    "F06": text_kept("Status: 302\r\n"), "G01": files_within(),
    "G02": files_within("plot.png/x"), "G04": bounded_files,
    "G05": bounded_files, "G06": files_within(), "G07": safe_names,
    "G08": readable_modes, "G09": swapped, "H12": flood_cut,
    "H22": final_is("answered"), "I04": text_kept("before"),
    "I05": text_kept("the program has ended"),
    "I07": text_kept("partial"), "I07b": text_kept("partial"),
    "I07c": text_kept("partial"), "I07d": text_kept("partial"),
    "J01": odd_numbers, "J02": odd_text, "J06": nothing_forged,
}


Tried = tuple[Reply, Canary]


@pytest.fixture(scope="module")
def crews(request: pytest.FixtureRequest, client: Client, guard: Guard,
          secrets: list[bytes]) -> Crews[Tried]:
    def run(names: list[str]) -> dict[str, Judged[Tried]]:
        markers = {name: "marker-" + random_words.token_hex(8)
                   for name in names}
        guard.mark()
        with Canary(client) as canary:
            calls = together(names, lambda name: (send(
                client, BY_NAME[name], secrets, markers[name]), canary))
        left = guard.check([*markers.values(), WORD],
                           len(names) + len(canary.times))
        return {name: Judged(calls[name], left) for name in names}

    return Crews(selected(request, BY_NAME, platform.machine()), run)


@pytest.mark.parametrize("name", BY_NAME)
def test_contained(name: str, guard: Guard, crews: Crews[Tried]) -> None:
    attack = BY_NAME[name]
    if attack.machine not in (None, platform.machine()):
        pytest.skip(f"only on {attack.machine}")
    judged = crews[name]
    reply, canary = judged.call.result()
    assert canary.trouble is None, f"the canary: {canary.trouble}"
    trouble = list(guard.check_reply(reply))
    assert not trouble, trouble
    answer = reply.json()
    ended = outcome(answer)
    said = escapes(answer)
    assert not said, said[:5]
    assert ended in attack.outcomes or (EMULATED and ended == "timeout"), \
        answer.get("error", ended)
    if ended == "ok" and attack.tells() and not name.startswith("E04"):
        assert "CONTAINED" in answer["std_out"], "the program told nothing"
    if "timeout_ms" in attack.limits:
        limit = attack.limits["timeout_ms"] / 1000
        assert reply.seconds < limit + LATE_S, reply.seconds
    assert answer["code_runtime"] <= reply.seconds * 1000 + 1
    check = CHECKS.get(name.split("_")[0])
    if check is not None:
        check(answer, reply)
    assert not judged.left, judged.left


# ---- how much the neighbours feel ------------------------------------------


LOUD = ("H01_spin", "H08_memory", "H13_drip", "H19_all_processors",
        "H21_long_calls", "H23_signals", "H24_crowd_of_threads")
SLACK_S = 0.1


def fair_share(status: Any) -> float:
    """How much slower a neighbour may be: with a limit on each guest's
    processor time, as slow as one more process makes it; without, the loud
    one's threads all count."""
    processors = os.cpu_count() or 1
    if status.get()["walls"]["cgroups"] in ("v1", "v2"):
        return 2.0 * max(1.0, 2.0 / processors)
    return 2.0 * max(1.0, 17.0 / processors)


@pytest.mark.timed
@pytest.mark.attack("L06_loud_neighbours")
def test_neighbours_are_not_slowed(client: Client, status: Any,
                                   secrets: list[bytes]) -> None:
    """Quiet and loud spells in turns, so that other work of this machine slows
    both alike; the medians are compared. A program that starves its neighbours
    does so each time, so one good try of three is enough."""
    for _ in range(3):
        quiet, loud = [], []
        for name in LOUD:
            quiet.append(median(client, 3))
            with Canary(client) as canary:
                send(client, BY_NAME[name], secrets, "loud")
            assert canary.trouble is None, (name, canary.trouble)
            loud += canary.times
        most = fair_share(status) * max(quiet) + SLACK_S
        if statistics.median(loud) < most:
            return
    pytest.fail(f"median {statistics.median(loud):.3f} s beside loud "
                f"neighbours, {statistics.median(quiet):.3f} s alone")
