"""What a client can find out: GET / for programs, and the packages, which
follow an installation and a reload. These start servers of their own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from client import Client, Reply
from own_server import DAEMON, ROOT, Place

JSON_ONLY = {"Accept": "application/json"}
RELOAD_S = 120.0


def find_out(client: Client) -> dict[str, Any]:
    reply = client.request("GET", "/", headers=JSON_ONLY)
    assert reply.status == 200, reply.body
    assert reply.header("Content-Type") == "application/json"
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    return reply.json()


def versions(client: Client) -> dict[str, str]:
    rows = client.request("GET", "/packages").json()["packages"]
    return {row["name"]: row["version"] for row in rows}


def refused(client: Client, method: str, path: str) -> Reply:
    """By what serves the path: there is something, and it takes METHOD."""
    if path == "/sse":
        method = "HEAD"  # the stream itself does not end
    reply = client.request(method, re.sub(r"\{\w+\}", "a0", path),
                           "{}" if method == "POST" else None)
    assert reply.status != 405, (method, path)
    assert b"othing at this path" not in reply.body, (method, path)
    return reply


def test_what_the_server_offers(place: Place) -> None:
    started = place("start", CONF_EXTRA="limits.timeout_ms=7000;"
                    "limits.memory_mb=333;server.body_mb=9;sessions.max=0")
    assert started.returncode == 0, started.stderr
    client = place.client()
    found = find_out(client)
    assert list(found) == ["status", "server", "version", "python", "doors",
                           "limits", "packages", "openapi", "sessions",
                           "streaming"]
    said = subprocess.run([DAEMON, "--version"], capture_output=True,
                          text=True, check=True).stdout
    assert said.split() == ["terrariumd", found["version"]]
    assert found["python"] == client.value(
        "import platform\nplatform.python_version()")
    assert (found["status"], found["server"]) == ("ok", "terrarium")
    assert found["sessions"] is False and found["streaming"] is True

    limits = found["limits"]
    assert (limits["timeout_ms"], limits["memory_mb"], limits["body_mb"]) == \
        (7000, 333, 9)
    options = (ROOT / "conf" / "terrarium.conf").read_text()
    named = options.partition("[limits]")[2].partition("\n[")[0]
    assert list(limits) == re.findall(r"^(\w+) =", named, re.M) + ["body_mb"]
    assert client.post({"code": "1", "timeout_ms": 7000}).status == 200
    assert client.post({"code": "1", "timeout_ms": 7001}).status == 400

    paths = [path for door in found["doors"].values() for path in door]
    assert len(set(paths)) == len(paths)
    assert {"POST /", "GET /", "GET /health", "POST /run", "GET /healthz",
            "POST /execute", "GET /status",
            "POST /api/ai/python-execute"} <= set(paths)
    assert {"native", "ragflow", "code-interpreter", "job"} <= \
        set(found["doors"])
    assert "POST /run" in found["doors"]["ragflow"]
    assert found["packages"] == "/packages"
    for one in paths:
        refused(client, *one.split(" "))


def test_find_out_needs_a_token_and_has_a_head(place: Place) -> None:
    started = place("start", CONF_EXTRA="sessions.max=2")
    assert started.returncode == 0, started.stderr
    client = place.client()
    assert find_out(client)["sessions"] is True
    stranger = client.request("GET", "/", headers=JSON_ONLY, auth=False)
    assert stranger.status == 401
    head = client.request("HEAD", "/", headers=JSON_ONLY)
    assert (head.status, head.body) == (200, b"")
    assert int(head.header("Content-Length") or "0") > 100
    assert client.request("PUT", "/").header("Allow") == "GET, HEAD, POST"
    # RAGFlow's question, and a person's.
    well = client.request("GET", "/", headers={"Accept": "*/*"}, auth=False)
    assert (well.status, well.json()) == (200, {"status": "ok"})
    page = client.request("GET", "/", headers={"Accept": "text/html"},
                          auth=False)
    assert page.header("Content-Type") == "text/html; charset=utf-8"


# -- packages

# Debian 12 built these without their versions.
ODD = {"mpmath": "mpmath", "kiwisolver": "kiwisolver", "lmfit": "lmfit",
       "folium": "folium", "pure-eval": "pure_eval"}


@pytest.mark.parametrize("preload", ["json", "matplotlib.pyplot"])
def test_each_package_has_its_version(place: Place, preload: str) -> None:
    started = place("start", CONF_EXTRA=f"guest.preload={preload}")
    assert started.returncode == 0, started.stderr
    client = place.client()
    found = versions(client)
    for name, module in ODD.items():
        if name in found:
            known = client.run(f"import {module}\n{module}.__version__")
            version = known.json().get("final_expression")
            if version and version[:1].isdigit():
                assert found[name] == version, name
    assert [name for name in found if found[name] in ("0.0.0", "")] == []


def install(folder: Path, name: str, version: str) -> None:
    """As pip installs a package, in place of another version of it."""
    for old in folder.glob(f"{name}-*.dist-info"):
        (old / "METADATA").unlink()
        old.rmdir()
    (folder / f"{name}.py").write_text(f"__version__ = {version!r}\n")
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


@pytest.mark.parametrize("standby", ["yes", "no"])
def test_packages_follow_an_installation_and_a_reload(place: Place,
                                                      standby: str) -> None:
    folder = place.prefix.parent / "site-packages"
    folder.mkdir(mode=0o755)
    install(folder, "firstone", "1.0")
    started = place("start", CONF_EXTRA=f"guest.python_path={folder};"
                    f"pool.standby={standby}")
    assert started.returncode == 0, started.stderr
    client = place.client()
    assert versions(client)["firstone"] == "1.0"
    assert "secondone" not in versions(client)
    install(folder, "firstone", "1.1")
    install(folder, "secondone", "2.0")
    done = subprocess.run(
        [DAEMON, "-c", str(place.prefix / "terrarium.conf"), "--reload"],
        capture_output=True, text=True, timeout=RELOAD_S)
    assert done.returncode == 0, done.stderr
    found = versions(client)
    assert (found["firstone"], found["secondone"]) == ("1.1", "2.0")
    names = client.request("GET", "/available-packages").json()["packages"]
    assert "secondone" in names
    assert client.value("import secondone\nsecondone.__version__") == "2.0"
