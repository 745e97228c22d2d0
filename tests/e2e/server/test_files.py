"""Each file that a server makes, beside the tables of docs/files.md."""

from __future__ import annotations

import fnmatch
import json
import os
import pwd
import re
import stat
import subprocess
from pathlib import Path
from typing import Iterator, NamedTuple

from conftest import wait_until
from own_server import ROOT, Place

ROW = re.compile(r"^\| `(\S+)` \| (\w+) \| (\d{4}) \| (\w+) \|", re.M)
KINDS = {"directory": stat.S_ISDIR, "file": stat.S_ISREG,
         "socket": stat.S_ISSOCK}


class Row(NamedTuple):
    path: str
    kind: str
    mode: int
    owner: str


def rows() -> list[Row]:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    return [Row(path, kind, int(mode, 8), owner)
            for path, kind, mode, owner in ROW.findall(text)]


def found_below(top: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    yield prefix or ".", top
    for path in sorted(top.rglob("*")):
        yield prefix + str(path.relative_to(top)), path


def matches(name: str, row: Row) -> bool:
    return name.count("/") == row.path.count("/") and \
        fnmatch.fnmatchcase(name, row.path)


def is_owner(uid: int, owner: str) -> bool:
    if os.geteuid() != 0 or owner == "server":
        return uid == os.geteuid()
    if owner == "nginx":
        return uid == pwd.getpwnam("www-data").pw_uid
    return uid >= 1 << 16  # of no user


def faults(name: str, path: Path, row: Row) -> list[str]:
    info = path.lstat()
    mode = row.mode
    if row.kind == "socket" and os.geteuid() != 0:
        mode = 0o600
    wrong = []
    if not KINDS[row.kind](info.st_mode):
        wrong.append(f"{name} is no {row.kind}")
    if stat.S_IMODE(info.st_mode) != mode:
        wrong.append(f"{name} has mode {stat.S_IMODE(info.st_mode):04o}, "
                     f"not {mode:04o}")
    if not is_owner(info.st_uid, row.owner):
        wrong.append(f"{name} belongs to {info.st_uid}, not to {row.owner}")
    return wrong


def runtime_of(place: Place) -> Path:
    conf = (place.prefix / "terrarium.conf").read_text()
    found = re.search(r"^socket = (.*)/fastcgi.sock$", conf, re.M)
    assert found
    return Path(found[1])


def start(place: Place) -> None:
    # The usual umask, not the caller's.
    before = os.umask(0o022)
    try:
        started = place("start", CONF_EXTRA="server.artifacts_dir="
                        f"{place.prefix}/artifacts")
    finally:
        os.umask(before)
    assert started.returncode == 0, started.stderr


def test_each_file_is_as_the_table_says(place: Place) -> None:
    start(place.with_default_guest())
    ran = place.client().request("POST", "/api/ai/python-execute", json.dumps(
        {"code": "open('result.json', 'w').write('{}')"}).encode())
    assert ran.status == 200
    kept = place.prefix / "artifacts"
    wait_until(lambda: any(kept.glob("*/result.json")), 10, "it is kept")
    known, wrong, used = rows(), [], set()
    for top, prefix in ((place.prefix, ""), (runtime_of(place), "/")):
        for name, path in found_below(top, prefix):
            row = next((row for row in known if matches(name, row)), None)
            if row is None and name.split("/")[1:2] and prefix == "/" and \
                    name.count("/") > 1:
                continue  # nginx's, while it needs them
            used.add(row)
            wrong += faults(name, path, row) if row else \
                [f"{name} is not in the table"]
    assert wrong == []
    assert [row.path for row in known if row not in used] == []


def test_the_token_is_where_the_table_says(place: Place) -> None:
    """In four files that are private, and among no process's words."""
    start(place)
    token = place.assignments()["TERRARIUM_TOKEN"]
    holds = {str(path.relative_to(place.prefix))
             for path in place.prefix.rglob("*") if path.is_file() and
             token.encode() in path.read_bytes()}
    assert holds == {"env", "etc/token", "etc/header", "etc/tokens.map"}
    words = subprocess.run(["ps", "axww", "-o", "args"], check=True,
                           capture_output=True, text=True).stdout
    assert token not in words


def test_what_was_readable_is_made_private(place: Place) -> None:
    """By a start of before: others may have such a file open."""
    for name in ("etc", "log"):
        (place.prefix / name).mkdir(parents=True)
        (place.prefix / name).chmod(0o755)
    log = place.prefix / "start.log"
    log.write_text("")
    with log.open() as held:
        start(place)
        assert held.read() == ""
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    for name in ("etc", "log"):
        assert stat.S_IMODE((place.prefix / name).stat().st_mode) == 0o700
