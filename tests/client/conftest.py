"""The tests of client/: some against the server that runs already (as the
end-to-end tests find it), some against odd servers of their own."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest

HERE = Path(__file__).resolve().parent
E2E = HERE.parent / "e2e"
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(E2E), str(ROOT / "client")]


def _load(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


served = _load("served", E2E / "conftest.py")
settings = served.settings

from terrarium import Terrarium  # noqa: E402


@pytest.fixture(scope="session")
def terrarium(settings: Any) -> Iterator[Terrarium]:
    """A client of the server that runs."""
    with Terrarium(settings.url, settings.token,
                   ca_file=settings.cacert) as client:
        yield client


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A function that makes a certificate: its key and chain, in one file."""
    folder = tmp_path_factory.mktemp("certificates")

    def make(name: str, expired: bool = False) -> Path:
        path = folder / f"{name}{expired}.pem"
        key = folder / "key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                "-subj", "/CN=test", "-addext", f"subjectAltName={name}",
                "-keyout", str(key), "-out", str(path))
        if expired:  # signed once more, until now; 3.5 takes no -1 for days
            openssl("x509", "-in", str(path), "-signkey", str(key), "-days",
                    "0", "-out", str(path))
        path.write_text(path.read_text() + key.read_text())
        return path

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    return make
