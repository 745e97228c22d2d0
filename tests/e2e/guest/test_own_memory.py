"""No guest's memory holds a text of the configuration, a path of the host or
the environment of the server: looked for from inside, by a program, and, as
root, from outside, in every mapping of every guest."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import below
from own_server import DAEMON, ROOT, Place
from program import part
from sessions import Caller, begin, master_of
from test_cli import COMMAND

ENVIRONMENT = {"TERRARIUM_MARK": "of-the-servers-environment-81c4"}

# Texts of the configuration that a guest has, and why.
KNOWN = {
    "preload": "sys.modules shows what was imported",
    "home_aliases": "the links lie in its root",
    "socket_group": "www-data stands in the program, as an example",
}

# Words come with each byte lowered by one, so that neither they nor this text
# are found. Pages that are not there are stepped over, because write(2) fails
# with EFAULT. Linux 6.1 leaves an empty buffer in the pipe for each, and they
# are read when it is full of them: EAGAIN. Returns the pages seen, and the
# indices of the words found.
UNSET = {"file", "syslog"}  # of [log]: the harness reads standard error
SEARCH = part("search_of_own_memory")
LOOK_MS = 90000  # a search takes 2 s, on an emulated machine 40


def program(words: list[str]) -> str:
    """SEARCH for WORDS."""
    hidden = [bytes((b - 1) & 255 for b in word.encode()) for word in words]
    return SEARCH.replace("@", json.dumps(
        [base64.b64encode(word).decode() for word in hidden]))


def texts(conf: str) -> dict[str, str]:
    """The texts that a configuration file sets, without numbers, choices and
    KNOWN."""
    shown = subprocess.run([DAEMON, "-p"], capture_output=True, text=True,
                           check=True).stdout
    rows = dict(re.findall(r"^(\w+) *= *(\S.*)$", conf, re.M))
    kinds = re.findall(r"((?:^# .*\n)+)(\w+) =", shown, re.M)
    names = {name for words, name in kinds if re.search(
        r"bsolute\W+paths?|Names\W+of\W+Python|Letters,\W+digits", words)}
    assert set(KNOWN) | UNSET < names, names
    return {name: rows[name] for name in names - set(KNOWN) - UNSET}


@pytest.fixture
def host() -> Any:
    """Directories with unique names."""
    with tempfile.TemporaryDirectory(prefix="of-the-host-5d3e.") as name:
        top = Path(name)
        top.chmod(0o755)
        for folder in ("artifacts", "library", "library/more", "skeleton"):
            (top / folder).mkdir()
        (top / "skeleton/given.txt").write_text("given")
        (top / "library/found.py").write_text("x = 1\n")
        yield top


def extra(host: Path) -> str:
    return (f"server.artifacts_dir={host}/artifacts;"
            f"server.streams_socket={host}/streams.sock;"
            f"limits.timeout_ms={LOOK_MS};"
            f"guest.python_path={host}/library:{host}/library/more;"
            f"guest.skeleton={host}/skeleton;")


def words_of(place: Place, host: Path) -> list[str]:
    conf = (place.prefix / "terrarium.conf").read_text()
    found = texts(conf)
    return sorted({part for text in found.values()
                   for part in text.split(":")} |
                  {str(host), str(place.prefix), *of_this_host()})


def of_this_host() -> set[str]:
    """Of no configuration, but the server has them, or has seen them."""
    group = Path("/proc/self/cgroup").read_text().splitlines()[0]
    kernel = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    words = {DAEMON, COMMAND, str(ROOT), kernel, os.uname().nodename,
             group.rpartition(":")[2], os.environ.get("HOME", ""),
             *ENVIRONMENT, *ENVIRONMENT.values()}
    return {word for word in words if len(word) > 7}  # or it is any word


def guests_of(place: Place) -> list[int]:
    return [process.pid for process in below(master_of(place))
            if process.name == "guest"]


def found_outside(pid: int, words: list[str]) -> set[tuple[str, str]]:
    """The WORDS in the memory of process PID, and in which mappings."""
    hits = set()
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
            open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps:
            row = line.split(maxsplit=5)
            low, high = (int(word, 16) for word in row[0].split("-"))
            if row[1][0] != "r" or row[-1].startswith("[v"):
                continue
            memory.seek(low)
            data = memory.read(high - low)
            where = "..." + row[5].strip()[-24:] if len(row) > 5 else ""
            hits |= {(word, where) for word in words if word.encode() in data}
    return hits


def look_outside(place: Place, words: list[str]) -> None:
    """At those of workers, armed, and that of a session."""
    if os.geteuid() != 0:
        return
    looked = 0
    for pid in guests_of(place):
        try:
            hits = sorted(found_outside(pid, words))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        assert not hits, hits
        looked += 1
    assert looked >= 2


@pytest.mark.parametrize("freeze, preload", [
    ("yes", "numpy"), ("no", "numpy"), ("yes", "matplotlib.pyplot")])
def test_nothing_of_the_server(place: Place, host: Path, freeze: str,
                               preload: str) -> None:
    client, _ = begin(place, extra(host) + f"guest.freeze={freeze};"
                      f"guest.preload={preload};pool.standby=no",
                      **ENVIRONMENT)
    words = words_of(place, host)
    session = Caller(client, "one")
    assert session.value("import found\nopen('given.txt').read()") == "given"
    look_outside(place, words)
    if preload != "numpy":
        return  # it would take long
    look = program([*words, "planted-" + "77ab"])
    look = "plant = 'planted-' + '77ab' * 1\n" + look
    alone = client.run(look, timeout_ms=LOOK_MS).json()
    for out in (alone, session.run(look, timeout_ms=LOOK_MS)):
        assert out["success"], out["error"]
        seen, found = out["final_expression"]
        assert seen > 10000
        assert [words[i] if i < len(words) else "planted"
                for i in found] == ["planted"]


def test_nothing_of_the_command(host: Path) -> None:
    """Nor of the user of `terrarium run`, or of a configuration."""
    conf = host / "terrarium.conf"
    (host / "cache").mkdir()
    (host / "cache").chmod(0o777)  # Python is of another user
    conf.write_text(f"[server]\ncache_dir = {host}/cache\n[guest]\npython_path = "
                    f"{host}/library\nskeleton = {host}/skeleton\n"
                    "[walls]\ncgroup_name = of-the-host-5d3e\n")
    words = [str(host), "of-the-host-5d3e", *of_this_host()]
    look = "plant = 'planted-' + '77ab' * 1\nimport found as theirs\n" + \
        program([*words, "planted-" + "77ab"]).strip()
    done = subprocess.run(
        [COMMAND, "run", "-", "-q", "--config", str(conf)], cwd=host,
        input=look.replace("\n[seen, sorted", "\nprint([seen, sorted") + ")",
        env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True,
        timeout=120)
    assert done.returncode == 0, done.stderr
    seen, found = json.loads(done.stdout)
    assert seen > 10000
    assert [words[i] if i < len(words) else "planted"
            for i in found] == ["planted"]
