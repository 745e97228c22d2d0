"""guest.layout: blocks that programs write lie together, by a trace that a
start keeps in server.cache_dir for the next one. A trace that is stale,
damaged or not the server's alone is not used; the start makes another one.
Each test starts servers of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import threading
import time
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

import fastcgi_peer
import pytest
from own_server import DAEMON, ROOT

START_S = 120.0
FAST = {"guest.preload": "json"}
LINE = re.compile(r"layout: source=(\w+) grouped=(\d+) of=(\d+) size_kb=\d+")
REFUSED = re.compile(r'layout: kept trace refused: reason="([^"]*)"')


class Start(NamedTuple):
    """A start, by its log."""

    source: Optional[str]
    grouped: float          # share of the blocks that programs write
    refused: Optional[str]
    log: str


class Daemon:
    """The server without a web server: these tests are of its start."""

    def __init__(self, folder: Path, cache: Path, uids: int = 0) -> None:
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.cache = folder, cache
        self.uid_base = 1700000000 + 1024 * (os.getpid() % 65536) + uids
        self.file = cache / "terrarium-layout"
        self.program = DAEMON

    def write_conf(self, more: dict[str, str]) -> Path:
        options = {
            "server.socket": f"{self.folder}/fastcgi.sock",
            "server.status_socket": f"{self.folder}/status.sock",
            "server.cache_dir": str(self.cache),
            "pool.workers": "2", "pool.armed": "1", "pool.standby": "no",
            "walls.cgroups": "optional",
            "walls.cgroup_name": f"layout-{os.getpid()}-{self.folder.name}",
            "walls.uid_base": str(self.uid_base),
            **FAST, **more}
        conf = self.folder / "terrarium.conf"
        conf.write_text("".join(
            f"[{name.partition('.')[0]}]\n{name.partition('.')[2]} = {value}\n"
            for name, value in options.items()))
        return conf

    def ask(self, child: subprocess.Popen) -> None:
        """Wait for the first answer."""
        end = time.monotonic() + START_S
        body = b'{"code": "1 + 1"}'
        while True:
            try:
                answer = fastcgi_peer.exchange(
                    f"{self.folder}/fastcgi.sock",
                    fastcgi_peer.request(body), within_s=START_S)
                break
            except OSError:  # it does not listen yet
                assert child.poll() is None and time.monotonic() < end
                time.sleep(0.02)
        assert json.loads(answer.reply().body)["final_expression"] == 2

    def start(self, **more: str) -> Start:
        """Start it, ask it, stop it."""
        options = {name.replace("__", "."): text
                   for name, text in more.items()}
        path = self.folder / "log"
        with path.open("wb") as log:
            child = subprocess.Popen(
                [self.program, "-c", str(self.write_conf(options))], stderr=log)
            try:
                self.ask(child)
            finally:
                child.send_signal(signal.SIGTERM)
                child.wait(30)
        text = path.read_text()
        found, refused = LINE.search(text), REFUSED.search(text)
        return Start(found[1] if found else None,
                     int(found[2]) / int(found[3]) if found else 0,
                     refused[1] if refused else None, text)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    tmp_path.chmod(0o755)
    yield Daemon(tmp_path / "server", tmp_path / "cache")


def of_ours(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()
            if path.name.startswith("terrarium")]


def test_the_next_start_uses_the_kept_trace(daemon: Daemon) -> None:
    first, second = daemon.start(), daemon.start()
    assert (first.source, second.source) == ("traced", "kept"), second.log
    assert first.refused is None and second.refused is None
    assert min(first.grouped, second.grouped) > 0.9, (first, second)
    info = daemon.file.stat()
    assert stat.S_IMODE(info.st_mode) == 0o600
    assert info.st_uid == daemon.cache.stat().st_uid
    assert of_ours(daemon.cache) == [daemon.file.name]


def spoil(path: Path, how: str) -> None:
    if how == "owner or mode":
        path.chmod(0o644)
        return
    if how == "others can write the directory":
        path.parent.chmod(0o777)
        return
    data = bytearray(path.read_bytes())
    if how == "checksum":
        data[len(data) // 2] ^= 1
    elif how == "version":
        data[:8] = b"NOTATALL"
    elif how == "size":
        del data[-1000:]
    with path.open("wb") as file:  # the owner and the mode stay
        file.write(data)


@pytest.mark.parametrize("how", [
    "checksum", "version", "size", "owner or mode",
    "others can write the directory"])
def test_a_spoilt_trace_is_refused(daemon: Daemon, how: str) -> None:
    first = daemon.start()
    assert first.source == "traced" and daemon.file.exists(), first.log
    spoil(daemon.file, how)
    again = daemon.start()
    assert (again.source, again.refused) == ("traced", how), again.log
    daemon.cache.chmod(0o755)
    last = daemon.start()
    assert last.source == "kept", again.log + last.log  # it was replaced


def test_a_trace_of_other_options_is_refused(daemon: Daemon) -> None:
    assert daemon.start().source == "traced"
    other = daemon.start(guest__preload="json decimal")
    assert (other.source, other.refused) == \
        ("traced", "another program or options")
    assert daemon.start(guest__preload="json decimal").source == "kept"


def test_a_trace_of_other_packages_is_refused(daemon: Daemon) -> None:
    packages = daemon.folder / "packages"
    packages.mkdir()
    packages.chmod(0o755)
    module = packages / "ours.py"
    module.write_text("NUMBERS = [str(i) for i in range(1000)]\n")
    module.chmod(0o644)

    def start() -> Start:
        return daemon.start(guest__python_path=str(packages),
                            guest__preload="json ours")

    assert start().source == "traced"
    assert start().source == "kept"
    module.write_text("NUMBERS = [str(i) for i in range(1000)] * 2\n")
    changed = start()
    assert (changed.source, changed.refused) == ("traced", "packages changed")
    assert start().source == "kept"
    (packages / "more.py").write_text("")  # in a folder that is searched
    assert start().refused == "packages changed"


def test_two_servers_at_once_share_a_folder(daemon: Daemon,
                                            tmp_path: Path) -> None:
    """They replace each other's file, and as root the folder's owner, too:
    both start, and then each of them alone finds its trace again."""
    other = Daemon(tmp_path / "other", daemon.cache, uids=512)
    found: list[Start] = []
    threads = [threading.Thread(target=lambda one: found.append(one.start()),
                                args=(one,)) for one in (daemon, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert all(one.grouped > 0.9 for one in found), found
    for one in (daemon, other):
        one.start()  # another server's trace, or its own
        again = one.start()
        assert (again.source, again.refused) == ("kept", None), again.log
    assert of_ours(daemon.cache) == [daemon.file.name]


def test_without_a_folder_each_start_traces(daemon: Daemon) -> None:
    assert daemon.start(server__cache_dir="").source == "traced"
    again = daemon.start(server__cache_dir="")
    assert (again.source, again.refused) == ("traced", None)
    assert again.grouped > 0.9


def test_a_trace_that_cannot_be_kept_stops_no_start(daemon: Daemon) -> None:
    assert daemon.start().source == "traced"
    daemon.file.unlink()
    daemon.file.mkdir()  # no rename replaces it
    for _ in range(2):
        found = daemon.start()
        assert found.source == "traced", found.log
        assert "layout: trace not kept" in found.log
    assert of_ours(daemon.cache) == [daemon.file.name]


def test_a_folder_that_is_read_only(daemon: Daemon) -> None:
    """A trace that is there is used; another one is made by each start."""
    assert daemon.start().source == "traced"
    daemon.cache.chmod(0o555)
    kept = daemon.start()
    assert kept.source == "kept", kept.log
    other = daemon.start(guest__preload="json decimal")
    assert (other.source, other.refused) == \
        ("traced", "another program or options")
    assert daemon.start().source == "kept"  # the file is as it was


@pytest.mark.parametrize("option", ["guest__layout", "guest__freeze"])
def test_without_it_nothing_is_traced(daemon: Daemon, option: str) -> None:
    found = daemon.start(**{option: "no"})
    assert found.source is None and "layout:" not in found.log
    assert "write-tracer" not in found.log and not daemon.file.exists()


def test_a_build_without_the_room_serves(daemon: Daemon) -> None:
    """It says so, unless it is told to do without."""
    build = "build/no-layout"
    subprocess.run(
        ["make", "-s", "LAYOUT=no", f"BUILD={build}", f"{build}/terrariumd"],
        cwd=ROOT, check=True, capture_output=True,
        env={name: text for name, text in os.environ.items()
             if not name.startswith("MAKE")})
    daemon.program = str(ROOT / build / "terrariumd")
    found = daemon.start()
    assert "layout: this build is without sandbox/layout" in found.log
    assert "layout:" not in daemon.start(guest__layout="no").log
    assert not daemon.file.exists()


PAGES = re.compile(r"prefault: process=guest written_pages=(\d+)")


def test_a_kept_trace_is_as_good(daemon: Daemon) -> None:
    """By the pages that each guest of the default preload writes."""
    pages = []
    for source in ("traced", "kept"):
        found = daemon.start(
            guest__preload="numpy pandas matplotlib.pyplot")
        assert found.source == source, found.log
        assert found.grouped > 0.9, found.log
        counted = PAGES.search(found.log)
        assert counted, found.log
        pages.append(int(counted[1]))
    assert pages[1] < 1.15 * pages[0], pages
