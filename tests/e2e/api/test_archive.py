"""Files of solvers' runs that are kept: server.artifacts_dir."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

from client import JSON, Client
from conftest import below, has_ended, wait_until
from own_server import Place

CODE = ("import sys\nprint('out')\nprint('err', file=sys.stderr)\n"
        "open('../user/result.json', 'w').write("
        "'{\"status\": \"optimal\", \"schedule\": [1]}')\n"
        "open('other.txt', 'w').write('not kept')\n")


def execute(client: Client, code: str, **fields: Any) -> dict[str, Any]:
    reply = client.request("POST", "/api/ai/python-execute",
                           json.dumps({"code": code, **fields}), JSON)
    assert reply.status == 200
    return {**reply.json()["result"], "id": reply.header("X-Request-Id")}


def begin(place: Place, keep: int = 50) -> tuple[Path, Client]:
    folder = place.prefix.parent / "kept"
    started = place("start", CONF_EXTRA=f"server.artifacts_dir={folder};"
                    f"server.artifacts_keep={keep}")
    assert started.returncode == 0, started.stderr
    return folder, place.client()


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def wait_for_schedule(run: Path, rows: list[int]) -> None:
    """A file is there before all that belongs into it; a run's last is its
    result."""
    def whole() -> bool:
        try:
            return json.loads(text(run / "result.json"))["schedule"] == rows
        except (OSError, ValueError):
            return False

    wait_until(whole, 10, "all of the result is kept")


def test_a_run_is_kept(place: Place) -> None:
    folder, client = begin(place)
    got = execute(client, CODE, input={"a": [1]})
    run = folder / got["id"]
    assert got["resultPath"] == str(run / "result.json")
    wait_for_schedule(run, [1])
    assert text(run / "solver.py") == CODE
    assert json.loads(text(run / "input.json")) == {"a": [1]}
    assert text(run / "stdout.txt") == "out\n"
    assert text(run / "stderr.txt") == "err\n"
    assert sorted(os.listdir(run)) == ["input.json", "result.json",
                                       "solver.py", "stderr.txt",
                                       "stdout.txt"]
    assert folder.stat().st_mode & 0o077 == 0


def test_large_ones_are_kept_whole(place: Place) -> None:
    folder, client = begin(place)
    rows = list(range(400000))
    got = execute(client, "import json\njson.dump({'status': 'optimal', "
                  "'schedule': json.load(open('input.json'))}, "
                  "open('result.json', 'w'))", input=rows)
    assert got["resultSummary"]["scheduledCount"] == len(rows)
    wait_for_schedule(folder / got["id"], rows)


def test_the_last_few_are_kept(place: Place) -> None:
    folder, client = begin(place, keep=3)
    (folder / "mine.txt").write_text("not a run")
    ids = []
    for i in range(7):
        ids.append(execute(client, f"print({i})")["id"])
        time.sleep(0.05)
    wait_until(lambda: (folder / ids[-1] / "stdout.txt").exists(), 20, "kept")
    assert sorted(os.listdir(folder)) == sorted(ids[-3:] + ["mine.txt"])


def test_only_runs_of_solvers_are_kept(place: Place) -> None:
    folder, client = begin(place)
    client.run("print(1)")
    client.request("POST", "/api/ai/python-syntax-check",
                   json.dumps({"code": "1"}), JSON)
    last = execute(client, "1/0")
    wait_until(lambda: (folder / last["id"]).exists(), 20, "it is kept")
    assert os.listdir(folder) == [last["id"]]
    assert re.fullmatch("[0-9a-f]{32}", last["id"])


def test_the_archivist_is_replaced(place: Place) -> None:
    folder, client = begin(place)
    pid = int(text(place.prefix / "terrariumd.pid"))

    def archive_pids() -> list[int]:
        return [one.pid for one in below(pid) if one.name == "archive"]

    wait_until(lambda: len(archive_pids()) == 1, 20, "there is one")
    first = archive_pids()
    if os.geteuid() == 0:
        status = text(Path(f"/proc/{first[0]}/status"))
        assert re.search(r"^CapEff:\s0+$", status, re.M)
        assert re.search(r"^NoNewPrivs:\s1$", status, re.M)
        assert re.search(r"^Seccomp:\s2$", status, re.M)
        base = 1900000000 + 2048 * place.port  # tools/local: walls.uid_base
        uid = re.search(r"^Uid:\s(\d+)\s", status, re.M)
        assert uid and base <= int(uid[1]) < base + 2048
    os.kill(first[0], signal.SIGKILL)
    wait_until(lambda: archive_pids() not in ([], first), 20,
               "there is another")
    got = execute(client, CODE)
    wait_until(lambda: (folder / got["id"] / "result.json").exists(), 20,
               "it keeps")
    last = archive_pids()
    assert last and place("stop").returncode == 0
    assert all(map(has_ended, last))


def test_off_by_default(place: Place) -> None:
    assert place("start").returncode == 0
    pid = int(text(place.prefix / "terrariumd.pid"))
    assert not [one for one in below(pid) if one.name == "archive"]
    got = execute(place.client(), CODE)
    assert got["resultPath"] is None
