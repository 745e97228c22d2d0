"""Programs of Debian packages that tests run and nothing should install: their
packages start services of their own. A package is unpacked below build/."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOWNLOAD_S = 180


def program(package: str, path: str) -> Path:
    """The file PATH of PACKAGE. The test is skipped if it cannot be had."""
    place = ROOT / "build" / "unpacked" / package
    if (place / path).exists():
        return place / path
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is missing")
    place.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(["apt-get", "download", "-q", package],
                              cwd=place, capture_output=True, text=True,
                              timeout=DOWNLOAD_S)
    except subprocess.TimeoutExpired:
        pytest.skip(f"the package {package} did not come in time")
    files = list(place.glob("*.deb"))
    if done.returncode != 0 or not files:
        pytest.skip(f"the package {package} cannot be had: "
                    + done.stderr[-200:].strip())
    subprocess.run(["dpkg-deb", "-x", str(files[0]), str(place)], check=True)
    files[0].unlink()
    return place / path
