"""E2B's own SDK drives the server, in two generations: the newest by a path
below the host, and both by names. An older one is in test_e2b_ids.py."""

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
WAYS = [("newest", "prefix"), ("newest", "names"), ("of-2025", "names")]


@pytest.fixture(scope="module")
def place() -> str:
    return str(installed("e2b"))


@pytest.fixture(params=WAYS, ids="-".join)
def drive(request: Any, client: Client, place: str) -> Drive:
    """Run a scenario of drive.mjs."""
    generation, way = request.param
    host = f"{client.host}:{client.port}"
    address = {"E2B_API_URL": f"https://{host}/e2b",
               "E2B_SANDBOX_URL": f"https://{host}/e2b"} \
        if way == "prefix" else {"E2B_DOMAIN": f"e2b.test:{client.port}"}

    def run(scenario: str) -> Any:
        done = subprocess.run(
            ["node", "drive.mjs", generation, scenario], cwd=place,
            capture_output=True, text=True, timeout=RUN_S, check=False,
            env={"PATH": os.environ["PATH"],
                 "HOME": os.environ.get("HOME", "/"),
                 "E2B_API_KEY": f"e2b_{client.token}",
                 "NODE_TLS_REJECT_UNAUTHORIZED": "0", **address})
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_programs_run(drive: Drive) -> None:
    got = drive("run")
    assert got["stdout"] == got["out"] == "hé\u2028llo\n"
    assert got["stderr"] == "bad\n"
    assert (got["text"], got["second"]) == ("x", "42")
    assert got["count"] == [1, 2]
    assert got["failed"]["name"] == "KeyError"
    assert got["failed"]["value"] == repr("a\nb")
    assert "KeyError" in got["failed"]["traceback"]
    assert got["own"] == "('1', 'y')"
    assert got["after"] == "(None, 'x')"
    assert got["other"]["name"] == "UnsupportedLanguage"


def test_values_have_their_forms(drive: Drive) -> None:
    html, value = drive("values")
    assert (html["html"], html["main"]) == ("<b>ü</b>", False)
    assert (value["json"], value["main"]) == ({"a": [1, 2]}, True)
    assert value["text"] == "{'a': [1, 2]}"


def test_a_sandbox_lives_until_it_is_killed(drive: Drive) -> None:
    got = drive("life")
    assert (got["before"], got["after"]) == (True, False)
    assert got["same"] and got["template"] and got["grew"]
    assert (got["kept"], got["metrics"]) == ("2", [])
    assert got["killed"] == [True, False]
    assert "NotFoundError" in got["info"]["error"]
    assert got["run"]["error"] == "TimeoutError"
    assert "NotFoundError" in got["connect"]["error"]
    assert "501" in got["pause"]["message"]


def test_sandboxes_are_listed(drive: Drive) -> None:
    got = drive("list")
    assert got["two"] == ["list & two"] * 2
    assert got["paged"] == ["list & one", "list & two", "list & two"]
    assert got["none"] == []


def test_contexts_share_files_and_no_variables(drive: Drive) -> None:
    got = drive("contexts")
    if "error" in got:  # SDKs before 2025-11-26 send no credential
        assert "401" in got["message"]
        return
    assert (got["fresh"], got["count"]) == ("NameError", 2)
    assert (got["where"], got["file"]) == ("(2, '/home/user/sub')",
                                         "file")
    assert got["lost"]["error"] == "NotFoundError"
    assert got["language"] == "python"
    assert sorted(got["before"]) == ["/home/user", "/home/user/sub"]
    assert got["after"] == "(False, '/home/user/sub')"
    assert got["left"] == 1


def test_files_are_written_read_and_moved(drive: Drive) -> None:
    got = drive("files")
    assert got["path"] == '/home/user/a/é "1".txt'
    assert (got["text"], got["bytes"]) == ("text\u2028", [50, 50])
    assert (got["program"], got["root"]) == ("1", True)
    assert got["listed"] == ["/home/user/a", "/home/user/one"]
    assert (got["exists"], got["made"]) == ([True, False], [True, False])
    assert (got["renamed"], got["info"]) == ("/home/user/d/e/f", 1)
    assert got["deep"] == ["/home/user/d/e", "/home/user/d/e/f"]
    assert got["gone"] is False
    assert got["missing"]["error"] in ("NotFoundError", "FileNotFoundError")
    assert got["outside"]["error"] == "InvalidArgumentError"


def test_processes_are_refused_with_a_sentence(drive: Drive) -> None:
    *refused, listed, killed = drive("processes")
    assert (listed, killed) == ([], False)
    for one in refused:
        assert "There is no shell" in one["message"], one


def test_a_wrong_key_is_refused(drive: Drive) -> None:
    assert drive("wrong")["error"] == "AuthenticationError"
