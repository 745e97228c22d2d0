"""OpenSandbox's own npm client drives the server, with no settings but an
address and a key."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Callable

import pytest
from client import Client
from npm import installed

RUN_S = 300
Drive = Callable[[str], Any]


@pytest.fixture(scope="module")
def place() -> str:
    return str(installed("opensandbox"))


@pytest.fixture
def drive(client: Client, place: str) -> Drive:
    """Run a scenario of drive.mjs."""
    address = f"https://{client.host}:{client.port}/opensandbox"

    def run(scenario: str) -> Any:
        done = subprocess.run(
            ["node", "drive.mjs", scenario], cwd=place, capture_output=True,
            text=True, timeout=RUN_S, check=False,
            env={"PATH": os.environ["PATH"],
                 "HOME": os.environ.get("HOME", "/"),
                 "OPEN_SANDBOX_DOMAIN": address,
                 "OPEN_SANDBOX_API_KEY": str(client.token),
                 "NODE_TLS_REJECT_UNAUTHORIZED": "0"})
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_programs_run(drive: Drive) -> None:
    got = drive("run")
    assert got["same"] and got["complete"], got
    assert (got["stdout"], got["stderr"]) == ("hé\u2028llo\n", "bad\n")
    assert (got["text"], got["second"]) == ("'x'", "42")
    assert got["count"] == [1, 2]
    assert (got["failed"]["name"], got["failed"]["value"]) == (
        "KeyError", repr("a\nb"))
    assert any("KeyError" in line for line in got["failed"]["traceback"])
    assert got["other"]["name"] == "UnsupportedLanguage"


def test_a_sandbox_lives_until_it_is_killed(drive: Drive) -> None:
    got = drive("life")
    assert (got["state"], got["image"]) == ("Running", "python:3.11")
    assert got["metadata"] == {"user": "ä"}
    assert got["grew"] and got["healthy"] and got["same"], got
    assert got["after"] is False
    for one, status in (("killed", 404), ("info", 404), ("pause", 501)):
        assert (got[one]["error"], got[one]["status"]) == (
            "SandboxApiException", status)
    assert got["info"]["message"] == "there is no such sandbox"


def test_sandboxes_are_listed(drive: Drive) -> None:
    got = drive("list")
    assert (got["items"], got["none"]) == (1, 0)
    assert got["pages"] == {"page": 1, "pageSize": 1, "totalItems": 2,
                            "totalPages": 2, "hasNextPage": True}


def test_files_are_written_read_and_moved(drive: Drive) -> None:
    got = drive("files")
    assert (got["text"], got["bytes"]) == ("text\u2028", [0, 255])
    assert got["info"] == ["/home/user/bytes", 2, 644] and got["date"]
    assert got["listed"] == [["/home/user/d/e", "directory"],
                             ["/home/user/d/e/moved", "file"]]
    assert got["missing"]["status"] == 404
    assert "/home/user" in got["outside"]["message"]
    assert got["search"]["status"] == 501


def test_commands_are_refused_with_a_sentence(drive: Drive) -> None:
    *shells, metrics = drive("commands")
    for one in shells:
        assert (one["error"], one["status"]) == ("SandboxApiException", 501)
        assert "There is no shell" in one["message"]
    assert metrics["status"] == 501


def test_a_wrong_key_is_refused(drive: Drive) -> None:
    got = drive("wrong")
    assert (got["status"], got["code"]) == (401, "unauthorized")
