"""The service unit and the Debian packages beside the documents and the
Makefile. tests/package/run tries the packages themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "conf/systemd/terrarium.service"
OPERATIONS = (ROOT / "docs/operations.md").read_text(encoding="utf-8")


def unit() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.M):
        found.setdefault(name, []).append(value)
    return found


def test_the_version_is_the_makefiles() -> None:
    made = re.search(r"^VERSION := (\S+)$", (ROOT / "Makefile").read_text(),
                     re.M)
    change = (ROOT / "debian/changelog").read_text().split("\n")[0]
    assert made and change.startswith(f"terrarium ({made[1]}) ")


def test_the_rating_is_the_documents() -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", str(UNIT)],
        capture_output=True, text=True, timeout=60).stdout
    rated = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    told = re.search(r"`systemd-analyze security` rates it ([0-9.]+);",
                     OPERATIONS)
    if not rated:
        pytest.skip("this systemd-analyze rates no file")
    # Versions of systemd differ by some tenths.
    assert told and abs(float(rated[1]) - float(told[1])) <= 0.5


def test_no_setting_that_breaks_a_layer() -> None:
    """Each row of the table is an exception indeed."""
    rows = re.findall(r"^\| `([A-Z]\w+)(?:=([^`]*))?`(?: \(empty\))? \|",
                      OPERATIONS, re.M)
    assert len(rows) >= 10
    for name, value in rows:
        assert value not in unit().get(name, []), name
        if not value and name != "CapabilityBoundingSet":
            assert name not in unit()


def test_the_unit_drains_and_waits_for_a_token() -> None:
    found = unit()
    assert found["KillSignal"] == ["SIGQUIT"]
    assert found["Delegate"] == ["yes"] and found["Type"] == ["notify"]
    assert found["Restart"] == ["on-failure"]
    assert found["ConditionFileNotEmpty"] == ["/etc/terrarium/tokens.map"]


def test_each_recommended_package_is_of_the_list() -> None:
    """debian/rules takes names of conf/packages, as a relation of Debian."""
    rules = (ROOT / "debian/rules").read_text()
    script = re.search(r"\$\$\(sed -n \\\n(.*?)\| \\\n\t\tpaste", rules, re.S)
    assert script
    command = "sed -n " + script[1].replace("\\\n", " ").replace("$$", "$")
    names = subprocess.run(["sh", "-c", command], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\n")
    names = [name for name in names if name]
    assert "python3-numpy" in names and "tzdata-legacy | tzdata" in names
    for name in names:
        assert re.fullmatch(r"[a-z0-9.+-]+( \| [a-z0-9.+-]+)*", name), name
