"""A host with more packages' directories than guests have mounts for: the
server starts, and says that some are missing. Starts a server of its own, in a
mount namespace with a library directory of the test's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from own_server import LOCAL, Place

pytestmark = pytest.mark.skipif(os.geteuid() != 0,
                                reason="only root may mount a file system")


def test_more_than_there_is_room_for(place: Place, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    for i in range(300):
        (shared / f"python3-many{i:03}").mkdir(parents=True)
        (shared / f"python3-many{i:03}" / "data").write_text("here")
    mount = ["mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir={shared}:/usr/share", "/usr/share"]
    subprocess.run(
        ["unshare", "-m", "--propagation", "private", "sh", "-c",
         f'"$@" && exec {LOCAL} start', "sh", *mount],
        env=place.env, check=True, capture_output=True, timeout=120)
    log = (place.prefix / "log/terrarium.log").read_text()
    assert "guests do not see" in log and "of the host's packages" in log
    found = place.client().value(
        "import glob\nlen(glob.glob('/usr/share/python3-many*/data'))")
    assert 100 < found < 300
    assert place.client().value("import json, zoneinfo\n"
                                "str(zoneinfo.ZoneInfo('Asia/Tokyo'))") == \
        "Asia/Tokyo"
