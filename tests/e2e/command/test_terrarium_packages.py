"""conf/terrarium-packages: environments of an operator's packages, without a
network. The wheels are made here, and a wheel is a zip file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from own_server import DAEMON, Place

PACKAGES = Path(__file__).resolve().parents[3] / "conf" / "terrarium-packages"


def wheel(folder: Path, name: str, version: str, needs: str = "") -> None:
    """A wheel of one module that knows its version."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"VERSION = '{version}'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\n"
                            f"Version: {version}\n" +
                            (f"Requires-Dist: {needs}\n" if needs else ""),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
                         "Root-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/top_level.txt": f"{name}\n",
    }
    record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl",
                         "w") as file:
        for path, text in {**files, f"{info}/RECORD": record}.items():
            file.writestr(path, text)


class Operator:
    """The files of an operator: wheels, requirements, a configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wheels = folder / "wheels"
        self.home = folder / "packages"
        self.conf = folder / "terrarium.conf"
        self.conf.write_text("[guest]\npreload = json\n")
        self.wheels.mkdir()

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items()
               if not name.startswith("PIP_")}
        return subprocess.run(
            [str(PACKAGES), words[0], "-c", str(self.conf), "-d",
             str(self.home), *words[1:]], env=env, text=True, timeout=300,
            capture_output=True)

    def install(self, *names: str, words: tuple[str, ...] = ()
                ) -> subprocess.CompletedProcess[str]:
        wanted = self.folder / "requirements.txt"
        wanted.write_text("".join(f"{name}\n" for name in names))
        return self.run("install", "-r", str(wanted), "--no-index",
                        f"--find-links={self.wheels}", *words)

    def environments(self) -> list[str]:
        return sorted(path.name for path in self.home.glob("environment-*"))


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    return Operator(tmp_path)


def test_programs_have_the_packages_after_a_reload(place: Place,
                                                   operator: Operator) -> None:
    """A newer version comes with the next one; the server's configuration
    stays as it is."""
    wheel(operator.wheels, "gadget", "1.0", "tool>=2")
    wheel(operator.wheels, "tool", "2.1")
    done = operator.install("gadget")
    assert done.returncode == 0, done.stderr
    assert "terrariumd --reload" in done.stderr
    current = f"{operator.home}/current"
    assert operator.conf.read_text() == \
        f"[guest]\npython_path = {current}\npreload = json\n"
    assert operator.run("list").stdout == "gadget 1.0\ntool 2.1\n"
    started = place("start", CONF_EXTRA=f"guest.python_path={current};"
                                        "guest.preload=tool")
    assert started.returncode == 0, started.stderr
    client = place.client()
    look = "import gadget, tool\n[gadget.VERSION, tool.VERSION]"
    assert client.value(look) == ["1.0", "2.1"]

    wheel(operator.wheels, "gadget", "2.0", "tool>=2")
    done = operator.install("gadget")
    assert done.returncode == 0, done.stderr
    assert client.value(look) == ["1.0", "2.1"], "its files are there"
    reload(place)
    assert client.value(look) == ["2.0", "2.1"]


def reload(place: Place) -> None:
    subprocess.run([DAEMON, "-c", str(place.prefix / "terrarium.conf"),
                    "--reload"], check=True, timeout=120)


def test_a_failure_changes_nothing(operator: Operator) -> None:
    wheel(operator.wheels, "gadget", "1.0")
    assert operator.install("gadget").returncode == 0
    before = operator.environments(), operator.conf.read_text()
    done = operator.install("gadget", "missing")
    assert done.returncode == 1
    assert "missing" in done.stderr
    assert (operator.environments(), operator.conf.read_text()) == before
    assert operator.run("list").stdout == "gadget 1.0\n"


def test_the_environment_before_stays_until_the_next(
        operator: Operator) -> None:
    wheel(operator.wheels, "gadget", "1.0")
    kept = []
    for _ in range(3):
        assert operator.install("gadget").returncode == 0
        kept.append(operator.environments())
    assert [len(names) for names in kept] == [1, 2, 2]
    assert kept[2][0] == kept[1][1]
    assert os.readlink(operator.home / "current") == kept[2][1]


def test_remove(operator: Operator) -> None:
    wheel(operator.wheels, "gadget", "1.0")
    assert operator.install("gadget").returncode == 0
    done = operator.run("remove")
    assert (done.returncode, done.stdout) == (0, "")
    assert operator.conf.read_text() == \
        "[guest]\npython_path =\npreload = json\n"
    assert os.listdir(operator.home) == []
    assert operator.run("list").returncode == 1
    assert operator.run("remove").returncode == 0


def test_the_distributions_packages_count(operator: Operator) -> None:
    """pip takes no other numpy, which Debian's pandas could not load."""
    import numpy
    wheel(operator.wheels, "numpy", "99.0")
    wheel(operator.wheels, "gadget", "1.0", "numpy>=1.2")
    wheel(operator.wheels, "newest", "1.0", "numpy>=99")
    assert operator.install("gadget").returncode == 0
    assert operator.run("list").stdout == "gadget 1.0\n"
    done = operator.install("newest")
    assert done.returncode == 1
    assert numpy.__version__ in done.stderr
    done = operator.install("newest", words=("--own-numpy",))
    assert done.returncode == 0, done.stderr
    assert operator.run("list").stdout == "newest 1.0\nnumpy 99.0\n"


@pytest.mark.parametrize("before, after", [
    ("", "[guest]\npython_path = /new\n"),
    ("[pool]\nworkers = 2", "[pool]\nworkers = 2\n[guest]\npython_path = /new\n"),
    ("[guest]\npreload = json\n",
     "[guest]\npython_path = /new\npreload = json\n"),
    ("[guest]\npython_path =\n[limits]\n",
     "[guest]\npython_path = /new\n[limits]\n"),
    ("[guest]\npython_path = /a:/b\n",
     "[guest]\npython_path = /new:/a:/b\n"),
    ("[guest]\npython_path = /a:/new\n",
     "[guest]\npython_path = /new:/a\n"),
    ("[guest]\n; python_path = /a\n",
     "[guest]\npython_path = /new\n; python_path = /a\n"),
])
def test_the_option_is_set(before: str, after: str) -> None:
    loader = SourceFileLoader("terrarium_packages", str(PACKAGES))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    no_cache, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = no_cache
    assert module.changed_conf(before, "/new", True) == after
    assert module.changed_conf(after, "/new", True) == after
    assert "/new" not in module.changed_conf(after, "/new", False)


def test_the_link_alone_is_replaced_in_a_configuration(
        operator: Operator) -> None:
    """Its mode and its comments stay, and a link to it stays a link."""
    real = operator.folder / "real.conf"
    operator.conf.rename(real)
    operator.conf.symlink_to(real)
    real.write_text("# mine\n[guest]\n")
    real.chmod(0o640)
    wheel(operator.wheels, "gadget", "1.0")
    assert operator.install("gadget").returncode == 0
    assert operator.conf.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert real.read_text().startswith("# mine\n[guest]\npython_path = ")


@pytest.mark.parametrize("words, sentence", [
    (("install",), "needs -r"),
    (("list", "-r", "x"), "needs -r"),
    (("remove", "--no-index"), "--no-index"),
    (("install", "-r", "/no/such/file"), "/no/such/file"),
    (("list",), "no environment"),
])
def test_wrong_words(operator: Operator, words: tuple[str, ...],
                     sentence: str) -> None:
    done = operator.run(*words)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert not operator.home.exists()
