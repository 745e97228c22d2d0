"""The official TypeScript clients of the Model Context Protocol. They are
installed below build/mcp by npm, if that can be had."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from conftest import ROOT, Settings

PLACE = ROOT / "build" / "mcp"
SOURCE = ROOT / "tests" / "mcp"
INSTALL_S = 180
RUN_S = 120


def install() -> None:
    for tool in ("node", "npm"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is missing")
    PLACE.mkdir(parents=True, exist_ok=True)
    for file in SOURCE.iterdir():
        shutil.copy(file, PLACE)
    if (PLACE / "node_modules").is_dir():
        return
    try:
        done = subprocess.run(
            ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=PLACE, capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not finish in time")
    if done.returncode != 0:
        pytest.skip("npm cannot install the clients: " + done.stderr[-200:])


def test_the_official_clients(settings: Settings) -> None:
    install()
    done = subprocess.run(
        ["node", str(PLACE / "clients.mjs"),
         settings.url.rstrip("/") + "/mcp", settings.token],
        cwd=PLACE, capture_output=True, text=True, timeout=RUN_S,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": settings.cacert or ""})
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    for name in ("sdk", "client", "modern"):
        assert got[name] == {
            "server": "terrarium", "tools": ["run_python"], "value": 42,
            "image": "image/png", "cancel": "cancelled", "failed": True}, name
