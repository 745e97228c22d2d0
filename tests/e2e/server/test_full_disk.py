"""A disk without room: where nginx keeps large bodies while they come. A client
is told that it may try again, and why. Starts a server of its own, in a mount
namespace with a small file system of its own for nginx's files."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterator

import pytest
from client import JSON, Client, Reply
from own_server import LOCAL, Place

ROOM_MB = 8
LARGE = "x" * (3 << 20)

pytestmark = pytest.mark.skipif(os.geteuid() != 0,
                                reason="only root may mount a file system")


class Disk:
    """The file system of nginx's bodies, seen from outside."""

    def __init__(self, place: Place, folder: str) -> None:
        pid = int((place.prefix / "pid").read_text())
        self.filler = Path(f"/proc/{pid}/root{folder}/filler")

    def fill(self) -> None:
        with open(self.filler, "wb", buffering=0) as out:
            try:
                while True:
                    out.write(bytes(4096))
            except OSError:
                pass

    def empty(self) -> None:
        self.filler.unlink()


@pytest.fixture
def served(place: Place) -> Iterator["tuple[Client, Disk]"]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        mount = shlex.join(["mount", "-t", "tmpfs", "-o",
                            f"size={ROOM_MB}m,mode=755", "none", folder])
        started = subprocess.run(
            ["unshare", "--mount", "sh", "-c",
             f"{mount} && exec {LOCAL} start"],
            env={**place.env, "TMPDIR": folder, "WORKERS": "2", "ARMED": "1",
                 "CONF_EXTRA": "sessions.max=2"},
            capture_output=True, text=True, timeout=240)
        assert started.returncode == 0, started.stdout + started.stderr
        yield place.client(), Disk(place, folder)
        place("stop")


def post(client: Client, path: str, body: Any) -> Reply:
    return client.request("POST", path, json.dumps(body), JSON)


# A request with a large body for each door, and where the reason is.
DOORS = {
    "/": ({"code": "1", "stdin": LARGE},
          lambda out: (out["error"]["code"], out["error"]["message"])),
    "/execute": ({"user_uuid": "a", "code": f"len('{LARGE}')"},
                 lambda out: ("unavailable", out["detail"])),
    "/api/ai/python-execute": ({"code": "1", "input": {"a": LARGE}},
                               lambda out: ("unavailable", out["error"])),
}


def test_large_bodies(served: "tuple[Client, Disk]") -> None:
    client, disk = served
    disk.fill()
    for path, (body, reason) in DOORS.items():
        reply = post(client, path, body)
        assert reply.status == 503, (path, reply.body)
        assert reply.header("Retry-After") == "1", path
        code, words = reason(reply.json())
        assert code == "unavailable" and "disk may be full" in words, path
    # This door's errors are 200.
    out = post(client, "/run", {"code_b64": LARGE, "language": "python",
                                "arguments": {}}).json()
    assert out["status"] == "program_runner_error"
    assert out["exit_code"] == -10 and "disk may be full" in out["stderr"]
    # Small ones need no disk.
    assert client.value("1 + 1") == 2
    disk.empty()
    assert client.value("len(input())", stdin=LARGE + "\n") == len(LARGE)


def test_a_large_answer_never_looks_complete(
        served: "tuple[Client, Disk]") -> None:
    client, disk = served
    disk.fill()
    try:
        out = client.run("'x' * (3 << 20)").json()
    except Exception:  # it broke off
        out = None
    assert out is None or len(out["final_expression"]) == 3 << 20
    assert client.value("1 + 1") == 2
