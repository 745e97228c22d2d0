"""Programs of npm packages that tests run. A folder of tests has their
package.json and its lock; they are installed below build/."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTALL_S = 300


def installed(name: str) -> Path:
    """The folder build/NAME with tests/NAME and its packages. The test is
    skipped if they cannot be had."""
    place = ROOT / "build" / name
    for tool in ("node", "npm"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is missing")
    place.mkdir(parents=True, exist_ok=True)
    lock = place / "package-lock.json"
    had = lock.read_bytes() if lock.exists() else b""
    for file in (ROOT / "tests" / name).iterdir():
        shutil.copy(file, place)
    if (place / "node_modules").is_dir() and had == lock.read_bytes():
        return place
    try:
        done = subprocess.run(
            ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=place, capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not finish in time")
    if done.returncode != 0:
        pytest.skip("npm cannot install the packages: " + done.stderr[-200:])
    return place


def newest_node(place: Path) -> str:
    """The interpreter that npm installed in PLACE, or the machine's own: some
    packages need a newer one than Debian has."""
    found = sorted(place.glob("node_modules/node-linux-*/bin/node"))
    return str(found[0]) if found else "node"
