"""The base of every end-to-end test: a server that runs already.

Its address comes from the environment or from build/run/env, a file of shell
assignments that `make run` leaves behind. Nothing here starts or stops it.
Also here: the server's processes as seen from outside, by /proc, and its
status page.
"""

from __future__ import annotations

import os
import json
import shlex
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional

import pytest

HERE = Path(__file__).resolve().parent
# Helpers are here; some tests use a part of another room's.
sys.path.insert(0, str(HERE))
sys.path.extend(str(room) for room in sorted(HERE.iterdir())
                if any(room.glob("test_*.py")))

import client as client_module  # noqa: E402
from client import Client, Reply  # noqa: E402
from own_server import SINGLE, SOON, Place  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ENV_FILE = ROOT / "build" / "run" / "env"
NAMES = ("TERRARIUM_URL", "TERRARIUM_TOKEN", "TERRARIUM_CACERT",
         "TERRARIUM_STATUS_URL", "TERRARIUM_PID_FILE", "TERRARIUM_CLIENT")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "timed: measures time, so that nothing may run beside it")


# -- requests and answers, for test_openapi.py: a line of JSON for each

RECORDED_MAX = 200_000  # bytes of a body; larger ones are not kept
_records: list[Path] = []


def recorded() -> Path:
    """The file with all of this run."""
    return _records[0]


def _text(body: Optional[bytes]) -> Optional[str]:
    """None: there is none, or it is no short text."""
    if body is None or len(body) > RECORDED_MAX:
        return None
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _recorder(path: Path) -> Callable[..., None]:
    def record(method: str, uri: str, body: Any,
               headers: Mapping[str, str], reply: Reply) -> None:
        types = [value for name, value in headers.items()
                 if name.lower() == "content-type"]
        line = {"method": method, "path": uri, "status": reply.status,
                "type": dict(reply.headers).get("Content-Type"),
                "request": _text(body if isinstance(body, bytes) else None),
                "request_type": "".join(types), "answer": _text(reply.body)}
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
    return record


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """With test_openapi.py each request is recorded, and it runs last."""
    last = [item for item in items if item.path.name == "test_openapi.py"]
    if not last:
        return
    items[:] = [item for item in items if item not in last] + last
    _records.append(Path(tempfile.mkdtemp(prefix="terrarium-records.")) /
                    "records")
    client_module.recorder = _recorder(_records[0])


def pytest_unconfigure() -> None:
    for path in _records:
        path.unlink(missing_ok=True)
        path.parent.rmdir()


@dataclass
class Settings:
    """Where the server is. All but the first two may be missing: some
    tests then skip themselves and say so."""

    url: str
    token: str
    cacert: Optional[str]
    status_url: Optional[str]
    pid_file: Optional[str]
    name: Optional[str]     # the token's name, for Basic credentials


def _assignments(path: Path) -> dict[str, str]:
    """NAME=value lines of a shell file, `export` and quotes allowed."""
    out = {}
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return out
    for word in shlex.split(text, comments=True):
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            out[name] = value
    return out


def _settings() -> Settings:
    given = {**_assignments(ENV_FILE), **os.environ}
    values = [given.get(name) or None for name in NAMES]
    if values[0] is None or values[1] is None:
        pytest.exit("No server to test: set TERRARIUM_URL and "
                    f"TERRARIUM_TOKEN, or start one that writes {ENV_FILE}.",
                    returncode=1)
    return Settings(*values)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def settings() -> Settings:
    found = _settings()
    try:
        reply = Client(found.url, None, found.cacert).request(
            "GET", "/health", timeout=10)
        said = f"answered /health with {reply.status}"
        ready = reply.status == 200
    except OSError as error:
        said, ready = f"cannot be reached ({error})", False
    if not ready:
        pytest.exit(f"No server to test: {found.url} {said}.", returncode=1)
    return found


def conf_for(room: str) -> str:
    """A test's own server has a standby generation where that can matter."""
    return SOON if room in ("pool", "server", "sessions") else SINGLE


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Place]:
    """Where a test can start a server of its own."""
    tmp_path.chmod(0o755)
    found = Place(tmp_path, conf_for(request.path.parent.name))
    yield found
    found("stop")


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory: pytest.TempPathFactory,
                 request: pytest.FixtureRequest) -> Iterator[Place]:
    """The same for all tests of a file: the file's own fixture starts the
    one server that they share."""
    folder = tmp_path_factory.mktemp("shared")
    folder.chmod(0o755)
    found = Place(folder, conf_for(request.path.parent.name))
    yield found
    found("stop")


@pytest.fixture(scope="session")
def client(settings: Settings) -> Client:
    return Client(settings.url, settings.token, settings.cacert)


@pytest.fixture(scope="session")
def stranger(settings: Settings) -> Client:
    """The same server, no token."""
    return Client(settings.url, None, settings.cacert)


class Status:
    """The server's status page."""

    def __init__(self, url: str) -> None:
        self.client = Client(url)

    def get(self) -> dict[str, Any]:
        reply = self.client.request("GET", "/status", timeout=5)
        assert reply.status == 200, reply.body[:300]
        return reply.json()

    def pool(self) -> dict[str, Any]:
        return self.get()["pool"]

    def busy(self) -> int:
        return self.pool()["busy"]

    def workers(self, state: str) -> list[int]:
        return [w["pid"] for w in self.get()["workers"]
                if w["state"] == state]

    def of_worker(self, worker: int) -> list[int]:
        """The init and the guest of the WORKER, in this order."""
        guests = [w["guest"] for w in self.get()["workers"]
                  if w["pid"] == worker and w["guest"]]
        return [process.pid for process in below(worker)] + guests

    def settled(self, within_s: float = 20.0) -> dict[str, Any]:
        """Wait until nothing runs, and the next generation stands by if one
        shall; returns the pool's figures then."""
        wait_until(lambda: self.get()["standby"] != 0, 180, "one stands by")
        wait_until(lambda: self.busy() == 0, within_s, "the pool is idle")
        return self.pool()


@pytest.fixture(scope="session")
def status(settings: Settings) -> Status:
    if settings.status_url is None:
        pytest.skip("TERRARIUM_STATUS_URL is not set")
    return Status(settings.status_url)


@pytest.fixture(scope="session")
def master(settings: Settings) -> int:
    """The master's pid."""
    if settings.pid_file is None:
        pytest.skip("TERRARIUM_PID_FILE is not set")
    try:
        pid = int(Path(settings.pid_file).read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        pytest.skip(f"TERRARIUM_PID_FILE holds no pid: {error}")
    if not Path(f"/proc/{pid}").exists():
        pytest.skip(f"TERRARIUM_PID_FILE is stale: no process {pid}")
    return pid


@pytest.fixture(scope="session")
def may_signal(master: int) -> None:
    """Skip unless this process may signal the server's."""
    try:
        os.kill(master, 0)
    except PermissionError:
        pytest.skip(f"not allowed to signal the master ({master}); "
                    "run the tests as root or as the server's user")


def wait_until(true: Callable[[], bool], within_s: float,
               reason: str) -> float:
    """Poll TRUE; returns the seconds it took. Fails when late, with REASON."""
    begun = time.monotonic()
    while not true():
        late = time.monotonic() - begun
        assert late < within_s, f"not within {within_s} s: {reason}"
        time.sleep(0.01)
    return time.monotonic() - begun


def best_of_three(took: Callable[[], float], within_s: float) -> None:
    """TOOK measures seconds, which must be less than WITHIN_S once in three
    times: one slow answer may be the fault of a busy machine."""
    times: list[float] = []
    while len(times) < 3 and (not times or times[-1] >= within_s):
        times.append(took())
    assert times[-1] < within_s, times


# -- processes from outside


@dataclass
class Process:
    pid: int
    parent: int
    name: str
    state: str


def find_process(pid: int) -> Optional[Process]:
    """From /proc/PID/stat; None: there is none, or it cannot be seen."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name is in brackets and may hold anything, brackets too.
    begin, end = stat.index(b"("), stat.rindex(b")")
    rest = stat[end + 2:].split()
    return Process(pid, int(rest[1]),
                   stat[begin + 1:end].decode("utf-8", "replace"),
                   rest[0].decode("ascii"))


def processes() -> Iterator[Process]:
    """Every process that can be seen."""
    for entry in os.listdir("/proc"):
        found = find_process(int(entry)) if entry.isdigit() else None
        if found:
            yield found


def has_ended(pid: int) -> bool:
    """Whether the process runs no more. Without a parent it stays in /proc
    until init reaps it, which some take a second for."""
    found = find_process(pid)
    return found is None or found.state in "ZX"


def below(root: int) -> list[Process]:
    """ROOT's descendants."""
    everyone = list(processes())
    children: dict[int, list[Process]] = {}
    for process in everyone:
        children.setdefault(process.parent, []).append(process)
    out: list[Process] = []
    todo = [root]
    while todo:
        found = children.get(todo.pop(), [])
        out += found
        todo += [process.pid for process in found]
    return out


@pytest.fixture(scope="session")
def family(master: int) -> Callable[[], list[Process]]:
    """The master's descendants, now."""
    return lambda: below(master)
