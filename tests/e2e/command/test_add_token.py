"""conf/add-token: its output, its files and its refusals.

That nginx takes its files is tested in test_nginx.py and test_nginx_tokens.py.
"""

import base64
import concurrent.futures
import hashlib
import os
import pathlib
import re
import stat
import subprocess
from typing import List

import pytest

ADD_TOKEN = pathlib.Path(__file__).resolve().parents[3] / "conf" / "add-token"

MADE = ["tokens.conf", "tokens.limits", "tokens.map"]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(ADD_TOKEN), *arguments], check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)


def entries(path: pathlib.Path) -> List[str]:
    return [line for line in path.read_text().splitlines()
            if not line.startswith("#")]


def tag(token: str) -> str:
    """With which the ids of E2B's sandboxes begin."""
    return hashlib.sha256(f"e2b:{token}".encode()).hexdigest()[:16]


def test_first_token(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    done = run("-f", str(path), "alice")
    assert done.returncode == 0
    assert re.fullmatch(r"[0-9a-f]{64}\n", done.stdout)
    assert "nginx -t && systemctl reload nginx" in done.stderr
    token = done.stdout.strip()
    assert token not in done.stderr
    pair = base64.b64encode(f"alice:{token}".encode()).decode()
    lines = entries(path)
    generation = re.search(r"\|([0-9a-f]{16})\";", lines[0])[1]
    assert lines == [
        *(f'"{form}" "{form}|alice|{generation}";'
          for form in (token, f"basic:{pair}")),
        f'"id:{tag(token)}" "{tag(token)}|alice|{generation}";']
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == MADE
    for name in MADE:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640


def test_more_tokens_keep_what_is_there(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    path.write_text("# by hand, without a line's end")
    path.chmod(0o600)
    tokens = {run("-f", str(path), name).stdout for name in ("a", "b.c-d_1")}
    assert len(tokens) == 2
    lines = path.read_text().splitlines()
    assert lines[0] == "# by hand, without a line's end"
    assert len(lines) == 7
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_duplicate_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    run("-f", str(path), "alice")
    before = path.read_bytes()
    for name in ("alice", "ALICE"):
        done = run("-f", str(path), name)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"has a token for '{name}' already" in done.stderr
    assert path.read_bytes() == before
    assert run("-f", str(path), "alic").returncode == 0


@pytest.mark.parametrize("name", [
    "", ".", "..", ".a", "-", "_a", "a b", "a:b", "a|b", 'a"b', "a;b", "a$b",
    "a\nb", "a\n", "a/b", "\u00e4", "\u0661", "a" * 64,
])
def test_odd_names(tmp_path: pathlib.Path, name: str) -> None:
    path = tmp_path / "tokens.map"
    done = run("-f", str(path), "--", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("add-token: NAME must be ")
    assert not path.exists()


def test_directory_that_is_not_there(tmp_path: pathlib.Path) -> None:
    done = run("-f", str(tmp_path / "none" / "tokens.map"), "alice")
    assert (done.returncode, done.stdout) == (1, "")
    assert "No such file or directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_link_is_kept(tmp_path: pathlib.Path) -> None:
    """The file behind a link is changed, not the link."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "tokens.map"
    link.symlink_to("real/tokens.map")
    assert run("-f", str(link), "alice").returncode == 0
    assert link.is_symlink()
    assert len(entries(tmp_path / "real" / "tokens.map")) == 3
    # nginx reads them beside the link.
    assert set(os.listdir(tmp_path)) == {*MADE, "real"}


def test_at_the_same_time(tmp_path: pathlib.Path) -> None:
    """None is lost, and one name is given once."""
    path = tmp_path / "tokens.map"
    names = [f"n{number // 2}" for number in range(16)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda name: run("-f", str(path), name), names))
    assert sorted(one.returncode for one in done) == [0] * 8 + [1] * 8
    assert len(entries(path)) == 24


def test_revoke(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    run("-f", str(path), "bob")
    before = path.read_bytes()
    path.write_bytes(before + b'"t" "t|Alice";\n')  # of an older add-token
    assert run("-f", str(path), "--revoke", "alice").returncode == 0
    assert path.read_bytes() == before
    done = run("-f", str(path), "--revoke", "alice")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has no token for 'alice'" in done.stderr
    first = run("-f", str(path), "alice").stdout
    done = run("-f", str(path), "--revoke", "ALICE")
    assert (done.returncode, done.stdout) == (0, "")
    assert "nginx -t && systemctl reload nginx" in done.stderr
    assert path.read_bytes() == before
    assert run("-f", str(path), "alice").stdout != first


def test_wrong_use(tmp_path: pathlib.Path) -> None:
    for arguments in ([], ["a", "b"], ["--odd", "a"], ["--list", "a"],
                      ["--refresh", "a"], ["--revoke"], ["--change"],
                      ["--revoke", "--rate", "1", "a"],
                      ["--revoke", "--change", "a"], ["--list", "--rate", "1"],
                      ["--rate", "1"]):
        done = run("-f", str(tmp_path / "tokens.map"), *arguments)
        assert (done.returncode, done.stdout) == (2, "")


# --- Limits ------------------------------------------------------------------

LIMITS = ["--rate", "5", "--concurrency", "7", "--door",
          "ragflow,native,code-interpreter", "--from",
          "::1,10.0.0.0/8,10.0.0.0/8"]
TEXT = ("rate=5 concurrency=7 door=native,ragflow,code_interpreter "
        "from=10.0.0.0/8,::1/128")


def test_limits_stand_behind_the_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    assert run("-f", str(path), "alice", *LIMITS).returncode == 0
    lines = entries(path)
    assert len(lines) == 3
    for line in lines:
        assert re.search(rf'\|alice\|[0-9a-f]{{16}}\|{re.escape(TEXT)}";$',
                         line)


def made(tmp_path: pathlib.Path) -> List[str]:
    return [(tmp_path / name).read_text() for name in MADE[:2]]


def test_zones_follow_the_tokens(tmp_path: pathlib.Path) -> None:
    """One for each number in use, and none that is not."""
    path = tmp_path / "tokens.map"
    run("-f", str(path), "none")
    without = made(tmp_path)
    for name in ("a", "b"):
        run("-f", str(path), name, *LIMITS)
    run("-f", str(path), "c", "--rate", "9")
    zones, limits = made(tmp_path)
    assert re.findall(r"zone=(\w+):1m(?: rate=(\w+)r/s)?;", zones) == [
        ("rate_5", "5"), ("rate_9", "9"), ("open_7", "")]
    assert zones.count("geo ") == 1 and "10.0.0.0/8 1; ::1/128 1;" in zones
    assert entries(tmp_path / MADE[1]) == [
        "limit_req zone=rate_5 burst=5 nodelay;",
        "limit_req zone=rate_9 burst=9 nodelay;", "limit_conn open_7 7;"]
    run("-f", str(path), "--change", "c", "--rate", "10")
    assert "rate_9" not in "".join(made(tmp_path))
    for name in ("a", "b", "c"):
        run("-f", str(path), "--revoke", name)
    assert made(tmp_path) == without
    assert not any("limit_" in text for text in without)


def test_change_keeps_the_token(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    run("-f", str(path), "alice", *LIMITS)
    run("-f", str(path), "bob", *LIMITS)
    before = path.read_text()
    done = run("-f", str(path), "--change", "ALICE", "--rate", "1")
    assert (done.returncode, done.stdout) == (0, "")
    assert "nginx -t && systemctl reload nginx" in done.stderr
    assert path.read_text() == before.replace(
        TEXT, "rate=1", 3), "all lines of alice's, and none of bob's"
    run("-f", str(path), "--change", "alice")
    assert path.read_text() == before.replace("|" + TEXT, "", 3)
    done = run("-f", str(path), "--change", "carol", "--rate", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has no token for 'carol'" in done.stderr


def test_change_of_an_older_token(tmp_path: pathlib.Path) -> None:
    """Without a generation: its sessions stay its own, too."""
    path = tmp_path / "tokens.map"
    path.write_text('"t" "t|old";\n')
    assert run("-f", str(path), "--change", "old", "--rate", "3"
               ).returncode == 0
    assert path.read_text() == '"t" "t|old|rate=3";\n'
    assert "zone=rate_3:1m" in made(tmp_path)[0]


def test_list(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    assert run("-f", str(path), "--list").stdout == ""
    assert os.listdir(tmp_path) == [], "a list writes nothing"
    path.write_text('"t" "t|old";\n')
    tokens = [run("-f", str(path), "alice", *LIMITS).stdout.strip(),
              run("-f", str(path), "bob").stdout.strip()]
    done = run("-f", str(path), "--list")
    when = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"
    assert re.fullmatch(rf"old -\nalice {when} {re.escape(TEXT)}\n"
                        rf"bob {when}\n", done.stdout), done.stdout
    assert done.stderr == ""
    assert not any(token in done.stdout for token in tokens)


def test_refresh_writes_what_is_missing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    run("-f", str(path), "alice", *LIMITS)
    before = [path.read_text(), *made(tmp_path)]
    for name in MADE[:2]:
        (tmp_path / name).unlink()
    done = run("-f", str(path), "--refresh")
    assert (done.returncode, done.stdout) == (0, "")
    assert [path.read_text(), *made(tmp_path)] == before


def test_tags_lead_to_owners_and_back(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    tokens = {name: run("-f", str(path), name).stdout.strip()
              for name in ("Alice", "bob")}

    def known() -> List[str]:
        return re.findall(r'\t"of:(\w+)\|[0-9a-f]{16}" ([0-9a-f]{16});',
                          made(tmp_path)[0])

    assert known() == [("alice", tag(tokens["Alice"])),
                       ("bob", tag(tokens["bob"]))]
    run("-f", str(path), "--revoke", "alice")
    assert known() == [("bob", tag(tokens["bob"]))]
    assert tag(tokens["Alice"]) not in path.read_text()
    assert not any(token in text for text in made(tmp_path)
                   for token in tokens.values())


def test_refresh_gives_tags_to_older_tokens(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    older = '# a\n"t" "t|old";\n"basic:b2xkOnQ=" "basic:b2xkOnQ=|old";\n' \
            '"u" "u|Odd.1|00ff|rate=3";'
    path.write_text(older)
    for _ in range(2):
        assert run("-f", str(path), "--refresh").returncode == 0
        assert path.read_text() == older.replace(
            '|old";\n"b', f'|old";\n"id:{tag("t")}" "{tag("t")}|old";\n"b'
        ) + f'\n"id:{tag("u")}" "{tag("u")}|Odd.1|00ff|rate=3";\n'
    assert f'"of:old" {tag("t")};' in made(tmp_path)[0]
    assert f'"of:odd.1|00ff" {tag("u")};' in made(tmp_path)[0]


@pytest.mark.parametrize("option, value, has", [
    ("--rate", "0", "from 1 to 100000"), ("--rate", "-1", "rate"),
    ("--rate", "100001", "from 1 to"), ("--rate", "5r/m", "from 1 to"),
    ("--rate", "\u0665", "from 1 to"),
    ("--concurrency", "0", "from 1 to 65535"),
    ("--concurrency", "65536", "from 1 to"),
    ("--door", "", "there is no door ''"),
    ("--door", "native,other", "there is no door 'other', only native"),
    ("--door", 'native" x', "there is no door"),
    ("--from", "", "does not appear to be"),
    ("--from", "10.0.0.1/8", "host bits"),
    ("--from", "10.0.0.0/33", "does not appear to be"),
    ("--from", "localhost", "does not appear to be"),
    ("--from", "10.0.0.1;", "does not appear to be"),
    ("--from", "fe80::1%eth0", "zone"),
    ("--from", "::ffff:10.0.0.1", "for an IPv4 address"),
    ("--from", ",".join(f"2001:db8::{n}" for n in range(30)), "300"),
])
def test_odd_limits(tmp_path: pathlib.Path, option: str, value: str,
                    has: str) -> None:
    path = tmp_path / "tokens.map"
    done = run("-f", str(path), "alice", f"{option}={value}")
    assert (done.returncode, done.stdout) == (2, "")
    assert has in done.stderr and option in done.stderr
    assert not path.exists()


def test_made_files_are_not_the_tokens(tmp_path: pathlib.Path) -> None:
    for name in ("tokens.conf", "tokens.limits"):
        done = run("-f", str(tmp_path / name), "alice")
        assert (done.returncode, done.stdout) == (1, "")
        assert "must not end in" in done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("stem, theirs", [
    ("terrarium", "terrarium.conf"), ("x", "x.limits")])
def test_files_of_others_are_not_replaced(tmp_path: pathlib.Path, stem: str,
                                          theirs: str) -> None:
    """terrarium.map would write over the server's own configuration."""
    (tmp_path / theirs).write_text("[server]\n")
    for words in (["alice"], ["--refresh"]):
        done = run("-f", str(tmp_path / f"{stem}.map"), *words)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{theirs} is not add-token's" in done.stderr
    assert (tmp_path / theirs).read_text() == "[server]\n"
    assert os.listdir(tmp_path) == [theirs]


def test_made_files_that_are_empty_are_filled(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tokens.conf").touch()
    assert run("-f", str(tmp_path / "tokens.map"), "alice").returncode == 0
    assert "$at_address" in (tmp_path / "tokens.conf").read_text()
