"""The server beside its tests: the workers' socket, a client that goes
straight there, and Calm, which knows whether the server is as it was.

For test_fastcgi*.py, which import the fixtures by name.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest
from client import Client
from conftest import Settings, Status, wait_until
from fastcgi_peer import Answer, FastCgiClient, exchange
from test_soak import open_files, own_conf

QUICK_S = 0.3


@pytest.fixture(name="where", scope="session")
def where_fixture(settings: Settings) -> str:
    """The workers' socket."""
    found = own_conf().get("socket")
    if not found or not os.access(found, os.W_OK):
        pytest.skip("the workers' socket is not known or not for us: run "
                    "beside the server, with TERRARIUM_PID_FILE")
    return found


@pytest.fixture(name="client", scope="session")
def client_fixture(where: str) -> Client:
    """In place of the one that goes through the web server."""
    return FastCgiClient(where)


@pytest.fixture(name="front", scope="session")
def front_fixture(settings: Settings) -> Client:
    """The one that does."""
    return Client(settings.url, settings.token, settings.cacert)


def option_s(name: str, unset_ms: int) -> float:
    return int(own_conf().get(name, unset_ms)) / 1000


def log_file() -> Path:
    return Path(os.environ["TERRARIUM_PID_FILE"]).with_name("log") / \
        "terrarium.log"


def log_size() -> Optional[int]:
    """Bytes of the server's log, when that is a file beside its pid."""
    return log_file().stat().st_size if log_file().exists() else None


def log_lines(since: Optional[int]) -> list[str]:
    """Workers' log lines since then, and libc's messages on their deaths."""
    if since is None:
        return []
    text = log_file().read_bytes()[since:].decode("utf-8", "replace")
    return [line for line in text.splitlines()
            if " worker[" in line or line.startswith("*** ")]


class Calm:
    """The server as it was; check() waits until it is so again, with a line
    in the log for each question that was asked of it, or none."""

    def __init__(self, client: Client, status: Status, master: int,
                 where: str) -> None:
        self.client, self.status, self.master = client, status, master
        self.where = where
        self.before = self.figures()
        wait_until(self.stands, 30, "the server is at rest")
        self.log = log_size()
        self.asked = 0

    def rests(self) -> bool:
        pool = self.status.pool()
        return (pool["arming"], pool["busy"], pool["idle"]) == (
            0, 0, int(own_conf().get("armed", 4)))

    def stands(self) -> bool:
        """Reports of workers reach the pool process a moment later."""
        self.before = self.figures()
        time.sleep(0.05)
        return self.rests() and self.figures() == self.before

    def figures(self) -> dict[str, Any]:
        said = self.status.get()
        return {"deaths": said["counters"]["worker_deaths_total"],
                "failures": said["counters"]["arm_failures_total"],
                "pool": said["pool"], "pool process": said["pool_pid"],
                "pool process files": open_files(said["pool_pid"]),
                "master files": open_files(self.master)}

    def settle(self) -> None:
        end = time.monotonic() + 20
        while True:
            now = self.figures()
            if now == self.before:
                break
            assert time.monotonic() < end, (now, self.before)
            time.sleep(0.005)

    def check(self) -> None:
        self.settle()
        found = log_lines(self.log)
        assert len(found) <= max(self.asked, 1), found
        assert self.client.value("6 * 7") == 42
        self.settle()

    def ask(self, data: bytes, half_close: bool = False) -> Answer:
        """The answer, which must come soon. This machine may be busy with
        something else: best of three."""
        for _ in range(3):
            self.asked += 1
            answer = exchange(self.where, data, half_close, 5)
            assert not answer.late
            if answer.seconds < QUICK_S:
                break
        assert answer.seconds < QUICK_S
        return answer


@pytest.fixture(name="calm")
def calm_fixture(client: Client, status: Status, master: int,
                 where: str) -> Iterator[Calm]:
    it = Calm(client, status, master, where)
    yield it
    it.check()
