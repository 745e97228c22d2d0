"""The official TypeScript clients of the Model Context Protocol."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from conftest import Settings
from npm import installed

RUN_S = 120


def said_by(script: str, settings: Settings, path: str) -> Any:
    place = installed("mcp")
    done = subprocess.run(
        ["node", str(place / script), settings.url.rstrip("/") + path,
         settings.token],
        cwd=place, capture_output=True, text=True, timeout=RUN_S,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": settings.cacert or ""})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_official_clients(settings: Settings) -> None:
    got = said_by("clients.mjs", settings, "/mcp")
    for name in ("sdk", "client", "modern"):
        assert got[name] == {
            "server": "terrarium", "tools": ["run_python"], "value": 42,
            "image": "image/png", "said": "a\n", "read": "x",
            "cancel": "cancelled", "failed": True}, name


def test_the_old_transport_of_the_official_client(settings: Settings) -> None:
    assert said_by("sse.mjs", settings, "/sse") == {
        "server": "python", "tools": ["python"], "text": "said\n42",
        "failed": [False, True], "unknown": "MCP error -32602"}


def test_a_client_falls_back_to_the_old_transport(settings: Settings) -> None:
    """It tries the present transport first, and goes on with 405."""
    assert said_by("sse.mjs", settings, "/sse?fall-back")["text"] == \
        "said\n42"
