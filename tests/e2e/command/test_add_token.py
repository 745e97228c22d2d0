"""conf/add-token: its output, its files and its refusals.

That nginx takes its files is tested in test_nginx.py.
"""

import base64
import concurrent.futures
import os
import pathlib
import re
import stat
import subprocess
from typing import List

import pytest

ADD_TOKEN = pathlib.Path(__file__).resolve().parents[3] / "conf" / "add-token"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(ADD_TOKEN), *arguments], check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)


def entries(path: pathlib.Path) -> List[str]:
    return [line for line in path.read_text().splitlines()
            if not line.startswith("#")]


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
    assert lines == [f'"{form}" "{form}|alice|{generation}";'
                     for form in (token, f"basic:{pair}")]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["tokens.map"]


def test_more_tokens_keep_what_is_there(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.map"
    path.write_text("# by hand, without a line's end")
    path.chmod(0o600)
    tokens = {run("-f", str(path), name).stdout for name in ("a", "b.c-d_1")}
    assert len(tokens) == 2
    lines = path.read_text().splitlines()
    assert lines[0] == "# by hand, without a line's end"
    assert len(lines) == 5
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
    assert len(entries(tmp_path / "real" / "tokens.map")) == 2


def test_at_the_same_time(tmp_path: pathlib.Path) -> None:
    """None is lost, and one name is given once."""
    path = tmp_path / "tokens.map"
    names = [f"n{number // 2}" for number in range(16)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda name: run("-f", str(path), name), names))
    assert sorted(one.returncode for one in done) == [0] * 8 + [1] * 8
    assert len(entries(path)) == 16


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
    for arguments in ([], ["a", "b"], ["--odd", "a"]):
        done = run("-f", str(tmp_path / "tokens.map"), *arguments)
        assert (done.returncode, done.stdout) == (2, "")
