"""The official TypeScript clients of the Model Context Protocol."""

from __future__ import annotations

import json
import os
import subprocess

from conftest import Settings
from npm import installed

RUN_S = 120


def test_the_official_clients(settings: Settings) -> None:
    place = installed("mcp")
    done = subprocess.run(
        ["node", str(place / "clients.mjs"),
         settings.url.rstrip("/") + "/mcp", settings.token],
        cwd=place, capture_output=True, text=True, timeout=RUN_S,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": settings.cacert or ""})
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    for name in ("sdk", "client", "modern"):
        assert got[name] == {
            "server": "terrarium", "tools": ["run_python"], "value": 42,
            "image": "image/png", "said": "a\n", "read": "x",
            "cancel": "cancelled", "failed": True}, name
