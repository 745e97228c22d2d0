"""tools/install-packages: which names of conf/packages it takes on a machine.

dpkg-query, dpkg, apt-cache and apt-get are small programs of our own, which
know the packages of a machine that a test describes. Nothing is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
INSTALL = ROOT / "tools" / "install-packages"
LINES = [line for line in
         (ROOT / "conf" / "packages").read_text().splitlines()
         if line and not line.startswith("#")]

HEADS = re.findall(r"^# group ([a-z]+)(, on demand|, tests)?: \S",
                   (ROOT / "conf" / "packages").read_text(), re.M)
GROUPS = [name for name, _ in HEADS]
USUAL = [name for name, when in HEADS if not when]
TESTED = [name for name, when in HEADS if when != ", on demand"]

# Names that differ, by release; each is the published one. Ubuntu's were not
# tried on a machine.
RELEASES = {
    "Debian 12": ("3.11.2-1+b1", {
        "libpython3.11", "libpython3.11-testsuite", "libfcgi0ldbl",
        "libclang-rt-dev", "tzdata", "python3-pypdf2", "python3-pyzbar",
        "python3-gensim"}),
    "Debian 13": ("3.13.5-1", {
        "libpython3.13", "libpython3.13-testsuite", "libfcgi0t64",
        "libclang-rt-dev", "tzdata-legacy", "python3-orjson",
        "python3-fpdf", "python3-rapidfuzz"}),
    "Ubuntu 22.04": ("3.10.6-1~22.04.1", {
        "libpython3.10", "libpython3.10-testsuite", "libfcgi0ldbl",
        "libclang-rt-14-dev", "tzdata"}),
    "Ubuntu 24.04": ("3.12.3-0ubuntu2", {
        "libpython3.12t64", "libpython3.12-testsuite", "libfcgi0t64",
        "libclang-rt-dev", "tzdata-legacy"}),
}

TOOLS = {
    "dpkg": "echo amd64",
    "dpkg-query": """
case "$*" in
*" python3") # as the real one says it of a package that is only suggested
    echo "$(sed -n 's/^installed amd64 python3 /installed /p' \\
        "$MACHINE/installed" | grep . || echo not-installed)" ;;
*) cat "$MACHINE/installed" ;;
esac""",
    "apt-cache": """
shift
for name; do
    grep -s -A 2 "^$name:\\$" "$MACHINE/policy"
done
exit 0""",
    "apt-get": 'echo "$*" >>"$MACHINE/asked"; [ -z "$BROKEN" ]',
    # Where no service may be started is no business of a test.
    "tee": "cat >/dev/null",
    "chmod": "true",
    "sudo": 'exec "$@"',
}


def kind(line: str) -> str:
    return line.partition("#")[2].split(":")[0].strip()


def needed(line: str) -> bool:
    """Every release must have it: the last alternative is not "-"."""
    return not re.search(r"\| - *#", line)


def policy(name: str, version: str) -> str:
    return f"{name}:\n  Installed: (none)\n  Candidate: {version}\n"


class Machine:
    """The packages that apt has, and the installed ones."""

    def __init__(self, folder: Path, release: str = "Debian 13") -> None:
        self.folder = folder
        version, own = RELEASES[release]
        plain = {line.split("#")[0].strip() for line in LINES
                 if "|" not in line and "3.N" not in line}
        self.has = {**{name: "1.0-1" for name in plain | own},
                    "python3": version}
        self.virtual: set[str] = set()
        self.installed: list[str] = []
        for name, text in TOOLS.items():
            (folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (folder / name).chmod(0o755)

    def run(self, *words: str, **env: str
            ) -> subprocess.CompletedProcess[str]:
        (self.folder / "policy").write_text("".join(
            [policy(name, version) for name, version in self.has.items()] +
            [policy(name, "(none)") for name in self.virtual]))
        (self.folder / "installed").write_text(
            "".join(line + "\n" for line in self.installed))
        path = f"{self.folder}:{os.environ['PATH']}"
        return subprocess.run(
            [str(INSTALL), *words], capture_output=True, text=True,
            timeout=60, env={**os.environ, "PATH": path, "BROKEN": "",
                             "MACHINE": str(self.folder), **env})

    def asked(self) -> list[str]:
        """The commands that apt-get got."""
        return (self.folder / "asked").read_text().splitlines()


@pytest.mark.parametrize("release", RELEASES)
def test_names_fit_the_release(tmp_path: Path, release: str) -> None:
    machine = Machine(tmp_path, release)
    listed = machine.run("--list", "--test", "--groups", "all")
    assert listed.returncode == 0, listed.stderr
    names = listed.stdout.split()
    own = [line for line in LINES if not needed(line)
           and line.split()[0] in RELEASES[release][1]]
    assert len(names) == len(set(names)) == \
        len([line for line in LINES if needed(line)]) + len(own)
    assert RELEASES[release][1] <= set(names)
    assert not {name for name in names if name not in machine.has}


def test_kinds() -> None:
    """A line that has no kind would be installed by none of the commands, or
    by the wrong ones."""
    assert not [line for line in LINES
                if kind(line) not in ["build", "run", "test", *GROUPS]
                or not re.search(r"# [a-z]+: \S", line)]
    assert set(GROUPS) <= {kind(line) for line in LINES}


@pytest.mark.parametrize("option, kinds", [
    ((), ["build", "run", *USUAL]),
    (("--test",), ["build", "run", "test", *TESTED]),
    (("--run",), ["run", *USUAL]),
    (("--build",), ["build"]),
    (("--run", "--groups", ""), ["run", *USUAL]),
    (("--run", "--groups", "core charts"), ["run", "core", "charts"]),
    (("--run", "--groups", "none"), ["run"]),
    (("--run", "--groups", "all"), ["run", *GROUPS]),
    (("--run", "--groups", "-science -text"),
     ["run", *(set(USUAL) - {"science", "text"})]),
    (("--run", "--groups", "+vision"), ["run", *USUAL, "vision"]),
    (("--run", "--groups", "+wordcloud"), ["run", *USUAL, "wordcloud"]),
    (("--run", "--groups", "all -core"), ["run", *(set(GROUPS) - {"core"})]),
])
def test_options_choose_kinds(tmp_path: Path, option: tuple[str, ...],
                              kinds: list[str]) -> None:
    listed = Machine(tmp_path).run("--list", *option).stdout.split()
    wanted = {line.split()[0] for line in LINES
              if kind(line) in kinds and "|" not in line and "3.N" not in line}
    assert wanted <= set(listed)
    others = {line.split()[0] for line in LINES if kind(line) not in kinds}
    assert not others & set(listed)


def test_an_unknown_group_is_named_beside_those_there_are(
        tmp_path: Path) -> None:
    done = Machine(tmp_path).run("--list", "--groups", "core sience")
    assert (done.returncode, done.stdout) == (2, "")
    assert "sience" in done.stderr
    assert set(GROUPS) <= set(re.findall(r"\w+", done.stderr))


def test_groups_are_listed(tmp_path: Path) -> None:
    lines = Machine(tmp_path).run("--list-groups").stdout.splitlines()
    assert [line.split()[0] for line in lines] == GROUPS
    assert [line.split()[0] for line in lines
            if re.match(r"\w+ +default ", line)] == USUAL


def test_a_package_that_a_release_lacks_may_be_missing(
        tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    done = machine.run("--list", "first|-", "gcc")
    assert (done.returncode, done.stdout) == (0, "gcc\n")
    machine.has["first"] = "1.0-1"
    assert machine.run("--list", "first|-").stdout == "first\n"
    assert machine.run("first|-").returncode == 0
    assert machine.asked()[1].split()[-1] == "first"


def test_installs_what_is_missing_and_no_more(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    names = machine.run("--list").stdout.split()
    missing = {"libfcgi0t64", "gcc"}
    machine.installed = [
        f"installed amd64 {name}" for name in names if name not in missing]
    done = machine.run()
    assert done.returncode == 0, done.stderr
    update, install = machine.asked()
    assert update.startswith("update")
    assert set(install.split()) & set(names) == missing
    for name in missing:
        assert name in done.stdout


def test_is_silent_when_all_is_there(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    names = machine.run("--list").stdout.split()
    machine.installed = [f"installed all {name}" for name in names]
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize("line", [
    "config-files amd64 gcc",  # removed, its configuration kept
    "installed i386 gcc",
    "half-installed amd64 gcc"])
def test_what_cannot_be_used_is_missing(tmp_path: Path, line: str) -> None:
    machine = Machine(tmp_path)
    machine.installed = [line]
    assert machine.run("gcc").returncode == 0
    assert machine.asked()[1].split()[-1] == "gcc"


def test_the_first_alternative_that_apt_has(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for name in ("second", "third"):
        machine.has[name] = "1.0-1"
    assert machine.run("--list", "first|second|third").stdout == "second\n"
    machine.installed = ["installed all third"]
    assert machine.run("--list", "first|second|third").stdout == "second\n"
    assert machine.run("--list", "third|second").stdout == "third\n"


def test_an_installed_alternative_will_do(tmp_path: Path) -> None:
    """Where apt knows of none before it: also without its lists."""
    machine = Machine(tmp_path)
    machine.installed = ["installed all second"]
    machine.has = {}
    done = machine.run("first|second|third")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_merely_provided_name_is_passed_over(tmp_path: Path) -> None:
    """apt-get would install some package for it, and we would never find it
    installed by that name."""
    machine = Machine(tmp_path)
    machine.virtual = {"libfcgi0ldbl"}
    found = machine.run("--list", "libfcgi0ldbl|libfcgi0t64")
    assert found.stdout == "libfcgi0t64\n"


def test_the_installed_python_decides(tmp_path: Path) -> None:
    """Not a newer one that apt has: the interpreter must fit python3-numpy
    and all others that are there."""
    machine = Machine(tmp_path)
    machine.has["libpython3.11"] = "3.11.2-6"
    machine.installed = ["installed amd64 python3 3.11.2-1+b1"]
    names = machine.run("--list").stdout.split()
    assert "libpython3.11" in names and "libpython3.13" not in names


@pytest.mark.parametrize("words", [("--list",), ()])
def test_names_without_a_package_are_named(tmp_path: Path,
                                           words: tuple[str, ...]) -> None:
    machine = Machine(tmp_path)
    for name in ("libfcgi0t64", "python3-bs4"):
        del machine.has[name]
    done = machine.run(*words)
    assert done.returncode == 1
    assert "libfcgi0ldbl or libfcgi0t64" in done.stderr
    assert "python3-bs4" in done.stderr
    assert "libcjson1" not in done.stderr
    if words:
        assert done.stdout == ""  # so that a pipe installs nothing by halves
    else:
        assert [line.split()[0] for line in machine.asked()] == ["update"]


def test_a_failure_of_apt_get_names_what_is_missing(tmp_path: Path) -> None:
    done = Machine(tmp_path).run("gcc", BROKEN="1")
    assert done.returncode == 1
    assert "gcc" in done.stderr


def test_the_real_machine() -> None:
    """The installed packages, from apt's and dpkg's own output."""
    listed = subprocess.run(
        [str(INSTALL), "--list", "--test", "--groups", "none"],
        capture_output=True, text=True, timeout=60)
    assert listed.returncode == 0, listed.stderr
    names = listed.stdout.split()
    assert len(names) == len([line for line in LINES if kind(line)
                              in ("build", "run", "test")])
    for name in names:
        subprocess.run(["dpkg", "-s", name], check=True,
                       capture_output=True)
