"""The commands of docs/operations.md: each is run by `make debtest`, which
installs by the page on a bare Debian, or tests/package/page says why not."""

from __future__ import annotations

import re
import subprocess
import types
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")


def load_page() -> Any:
    path = ROOT / "tests/package/page"
    module: Any = types.ModuleType("page")
    module.__file__ = str(path)
    exec(compile(path.read_text(), str(path), "exec"), vars(module))
    return module


page = load_page()
COMMANDS = page.commands(PAGE)


def test_each_command_is_run_or_has_a_reason() -> None:
    assert len(COMMANDS) > 40
    for command in COMMANDS:
        assert page.row(command, page.all_rows()), command


def test_each_row_has_a_command() -> None:
    assert {page.row(command, page.all_rows()) for command in COMMANDS} == \
        set(page.all_rows())
    assert set(page.BEHIND) <= set(page.all_rows())
    assert not set(page.ELSEWHERE) & {
        one for way in page.WAYS.values() for one in way}


def test_all_indented_lines_are_commands_or_contents() -> None:
    """None is lost between blocks: what the page shows as a command line
    (with sudo, or a program at its begin) is in one of the commands."""
    text = "\n".join(COMMANDS)
    for line in re.findall(r"^    ((?:sudo|curl|openssl|make|jq|systemctl|"
                           r"terrarium\S*) .*?)(?: {2,}#.*)?$", PAGE, re.M):
        assert line in text, line


@pytest.mark.parametrize("way", page.WAYS)
def test_the_script_is_one_of_bash(way: str) -> None:
    done = subprocess.run(["bash", "-n"], input=page.script(way), text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr


def test_a_new_command_needs_a_row() -> None:
    more = page.commands("Text:\n\n    sudo new-command --now   # a comment\n")
    assert more == ["sudo new-command --now"]
    assert not page.row(more[0], page.all_rows())


def test_one_command_may_have_several_lines() -> None:
    assert page.commands("\n\n    a \\\n        b |\n        c\n    d &&\n"
                         "        e\n\n    f() {\n        g\n    }\n") == [
        "a \\\n    b |\n    c", "d &&\n    e", "f() {\n    g\n}"]


def test_contents_of_files_are_no_commands() -> None:
    assert page.commands("\n\n    [log]\n    file = x\n\ntext\n") == []
