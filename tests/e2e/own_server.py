"""A server of a test's own: tools/local with a PREFIX and a port of its own.

Tests get one by the fixture `place` of conftest.py; it is stopped with the
test.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from client import Client
from ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
LOCAL = ROOT / "tools" / "local"
# A start with the default preload takes some seconds of a processor: it
# imports large packages, traces their writes and freezes the heap, and then
# does so again for the generation that stands by.
SOON = "guest.preload=json;guest.freeze=no"
# A standby generation costs as much as the start itself once more.
SINGLE = SOON + ";pool.standby=no"
DAEMON = os.environ.get("DAEMON") or str(ROOT / "build" / "terrariumd")
START_S = 900  # LOCAL itself gives up when a start stands still


def free_port() -> int:
    """A free port with a free one behind it."""
    return free_ports(2)[0]


class Place:
    """A PREFIX and a port of one test. A server starts soon, unless the test
    asks for the default guest."""

    def __init__(self, folder: Path, conf: str = SOON) -> None:
        self.prefix = folder / "run"
        self.port = free_port()
        self.command = [str(LOCAL)]
        self.env = {**os.environ, "PREFIX": str(self.prefix),
                    "PORT": str(self.port), "DAEMON": DAEMON}
        for name in ("STATUS_PORT", "WORKERS", "ARMED", "NGINX_RATE",
                     "NGINX_CONCURRENCY", "NGINX_CORS", "NGINX_E2B_IDS"):
            self.env.pop(name, None)
        self.env.update(CONF_EXTRA=conf, CHART="no")

    def with_default_guest(self) -> Place:
        """Start with the default preload, traced and frozen, and draw the
        first chart."""
        del self.env["CONF_EXTRA"], self.env["CHART"]
        return self

    def __call__(self, word: str, **env: str) -> subprocess.CompletedProcess:
        """Run tools/local WORD. CONF_EXTRA of ENV is added to the place's own
        and overrides it."""
        extra = [self.env.get("CONF_EXTRA"), env.get("CONF_EXTRA")]
        env["CONF_EXTRA"] = ";".join(filter(None, extra))
        return subprocess.run([*self.command, word],
                              env={**self.env, **env},
                              capture_output=True, text=True,
                              timeout=START_S)

    def assignments(self) -> dict[str, str]:
        """The variables of the running server's `env` file."""
        text = (self.prefix / "env").read_text(encoding="utf-8")
        return {name: value.strip("'") for name, _, value in
                (line.partition("=") for line in text.splitlines())}

    def client(self) -> Client:
        given = self.assignments()
        return Client(given["TERRARIUM_URL"], given["TERRARIUM_TOKEN"],
                      given["TERRARIUM_CACERT"])
