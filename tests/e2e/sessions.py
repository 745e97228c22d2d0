"""Shared by the tests of sessions: callers by the native door and by the
code-interpreter's, and servers with a test's own session options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable, Optional

from client import Client, JSON, Reply
from conftest import Status, wait_until
from own_server import ROOT, Place

ADD_TOKEN = ROOT / "conf" / "add-token"
_names = iter(range(1000000))


class Caller:
    """Calls one session by the native door."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name

    def run(self, code: str, **fields: Any) -> dict[str, Any]:
        """The answer to a call that must have been run."""
        return self.client.run(code, session=self.name, **fields).json()

    def value(self, code: str, **fields: Any) -> Any:
        out = self.run(code, **fields)
        assert out["success"], out["error"]["message"]
        assert out["session"]["state"] in ("new", "kept"), out["session"]
        return out.get("final_expression")

    def fails(self, code: str, kind: str, state: str = "rolled_back",
              **fields: Any) -> dict[str, Any]:
        """A call that must fail by KIND and leave the session in STATE."""
        out = self.run(code, **fields)
        assert not out["success"]
        assert out["error"]["type"] == kind, out["error"]
        said = out["session"]["state"]
        assert said == state or (said, state) == ("new", "kept"), said
        return out

    def try_run(self, code: str, **fields: Any) -> Reply:
        return self.client.post({"code": code, "session": self.name,
                                 **fields})

    def release(self) -> str:
        reply = ask(self.client, "/release", user_uuid=self.name)
        assert reply.status == 200, reply.body
        assert reply.json()["status"] == "ok"
        return reply.json()["detail"]

    def fork(self, name: str) -> Reply:
        return ask(self.client, "/fork", user_uuid=self.name, new_uuid=name)


def ask(client: Client, path: str, **fields: Any) -> Reply:
    """POST one of the code-interpreter's requests."""
    return client.request("POST", path, json.dumps(fields), JSON)


class User:
    """One user of the door's, with a session."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.name = f"user-{os.getpid()}-{next(_names)}"

    def execute(self, code: str) -> Reply:
        return ask(self.client, "/execute", user_uuid=self.name, code=code)

    def text(self, code: str) -> Any:
        reply = self.execute(code)
        assert reply.status == 200, reply.body
        assert list(reply.json()) == ["result_text", "result_base64"]
        assert reply.json()["result_base64"] is None
        return reply.json()["result_text"]


def detail(reply: Reply) -> Any:
    assert reply.header("Content-Type") == "application/json"
    assert list(reply.json()) == ["detail"]
    return reply.json()["detail"]


def begin(place: Place, extra: str, **env: str) -> tuple[Client, Status]:
    """Start PLACE's server with EXTRA in its configuration."""
    started = place("start", CONF_EXTRA=extra, **env)
    assert started.returncode == 0, started.stdout + started.stderr
    url = place.assignments()["TERRARIUM_STATUS_URL"]
    return place.client(), Status(url)


def master_of(place: Place) -> int:
    return int((place.prefix / "terrariumd.pid").read_text())


def reload_nginx(place: Place) -> None:
    """Returns when its old workers, which still accept, are gone."""
    pid = int((place.prefix / "nginx.pid").read_text())
    children = Path(f"/proc/{pid}/task/{pid}/children")
    before = set(children.read_text().split())

    def renewed() -> bool:
        now = set(children.read_text().split())
        return bool(now) and not now & before

    os.kill(pid, signal.SIGHUP)
    wait_until(renewed, 30, "nginx has read its files again")


def other_client(place: Place, client: Client, name: str) -> Client:
    """A client with a token of its own, at a server that runs."""
    made = subprocess.run(
        [str(ADD_TOKEN), "-f", str(place.prefix / "etc/tokens.map"), name],
        check=True, capture_output=True, text=True)
    reload_nginx(place)
    other = place.client()
    other.token = made.stdout.strip()
    return other


def together(count: int, act: Callable[[int], Any]) -> list[Any]:
    """ACT with 0 to COUNT - 1 in threads; the results."""
    results: list[Any] = [None] * count
    wrong: list[Optional[BaseException]] = []

    def one(number: int) -> None:
        try:
            results[number] = act(number)
        except BaseException as exc:
            wrong.append(exc)

    threads = [threading.Thread(target=one, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise wrong[0]
    return results
