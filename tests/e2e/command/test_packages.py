"""tools/install-packages: which names of conf/packages it takes on a machine.

dpkg-query, dpkg, apt-cache and apt-get are small programs of our own, which
know the packages of a machine that a test describes. Nothing is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
INSTALL = ROOT / "tools" / "install-packages"
COMPILE = ROOT / "tools" / "compile-packages"
LINES = [line for line in
         (ROOT / "conf" / "packages").read_text().splitlines()
         if line and not line.startswith("#")]

HEADS = re.findall(r"^# group ([a-z]+)(, on demand|, tests|, later)?: \S",
                   (ROOT / "conf" / "packages").read_text(), re.M)
GROUPS = [name for name, _ in HEADS]
LATER = [name for name, when in HEADS if when == ", later"]
USUAL = [name for name, when in HEADS if when in ("", ", later")]
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
    "chmod": 'case "$2" in /usr/sbin/*) ;; *) exec /bin/chmod "$@" ;; esac',
    "sudo": 'exec "$@"',
    "id": 'echo "${USER_ID:-0}"',
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
    (("--run", "--first"), ["run", *(set(USUAL) - set(LATER))]),
    (("--run", "--first", "--groups", "core science"), ["run", "core"]),
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


def test_nothing_comes_later_through_sudo(tmp_path: Path) -> None:
    """It could ask for a password when nobody looks at the terminal."""
    machine = Machine(tmp_path)
    assert machine.run("--list", "--first", USER_ID="1000").stdout == \
        machine.run("--list").stdout


def test_a_command_runs_beside_the_rest(tmp_path: Path) -> None:
    """After the packages for the build, and while the others come."""
    machine = Machine(tmp_path)
    done = machine.run("--beside", "cp $MACHINE/asked $MACHINE/before")
    assert done.returncode == 0, done.stderr
    lines = machine.asked()
    download = [line for line in lines if "--download-only" in line]
    build, rest = [line.split() for line in lines
                   if line.startswith("install") and line not in download]
    assert len(download) == 1 and len(lines) == 4
    assert "gcc" in build and "nginx-light" not in build
    assert "nginx-light" in rest and "nginx-light" in download[0]
    assert any(word.startswith("Dir::Cache::archives=") for word in build)
    before = (tmp_path / "before").read_text()
    assert " gcc " in before and before.count("nginx-light") <= 2


def test_missing_names_are_listed(tmp_path: Path) -> None:
    """Nothing is installed for it."""
    machine = Machine(tmp_path)
    names = machine.run("--list").stdout.split()
    machine.installed = [f"installed all {name}" for name in names[:-2]]
    assert machine.run("--list-missing").stdout.split() == names[-2:]
    machine.installed = [f"installed all {name}" for name in names]
    done = machine.run("--list-missing")
    assert (done.returncode, done.stdout) == (0, "")
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize("there", [True, False])
def test_a_command_that_fails_beside_it_fails_all(tmp_path: Path,
                                                  there: bool) -> None:
    machine = Machine(tmp_path)
    names = machine.run("--list").stdout.split() if there else []
    machine.installed = [f"installed all {name}" for name in names]
    assert machine.run("--beside", "exit 3").returncode != 0
    assert machine.run("--beside", "exit 0").returncode == 0


def test_packages_are_compiled_beside_dpkg(tmp_path: Path) -> None:
    """py3compile of these packages is ours, which only notes their names."""
    machine = Machine(tmp_path)
    machine.run("gcc")
    install = machine.asked()[1].split()
    found = [word for word in install if word.startswith("DPkg::Path=")]
    if not Path("/usr/bin/py3compile").exists():
        pytest.skip("this machine has no py3compile")
    assert found[0].endswith("/path:/usr/sbin:/usr/bin:/sbin:/bin")


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_dpkg_compiles_where_programs_of_tmpdir_cannot_run(
        tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "noexec").mkdir()
    (tmp_path / "sh").write_text(
        f"#!/bin/sh\nmount -t tmpfs -o noexec none {tmp_path}/noexec\n"
        f'TMPDIR={tmp_path}/noexec exec {INSTALL} gcc\n')
    (tmp_path / "sh").chmod(0o755)
    machine.run("gcc")
    environ = {**os.environ, "MACHINE": str(tmp_path), "BROKEN": "",
               "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["unshare", "-m", tmp_path / "sh"], env=environ,
                   check=True, timeout=60)
    assert "DPkg::Path" not in machine.asked()[-1]


@pytest.fixture(name="dpkg")
def _dpkg(tmp_path: Path) -> Path:
    """A root where dpkg has unpacked the package `one` of three files."""
    for name in ("var/lib/dpkg/info", "usr/lib/python3/dist-packages/one",
                 "usr/share/one"):
        (tmp_path / "root" / name).mkdir(parents=True)
    for name, text in [("usr/lib/python3/dist-packages/one/a.py", "A = 1\n"),
                       ("usr/lib/python3/dist-packages/one/b.py", "print 1"),
                       ("usr/share/one/c.py", "C = 1\n")]:
        (tmp_path / "root" / name).write_text(text)
    return tmp_path / "root"


def list_files(dpkg: Path) -> None:
    (dpkg / "var/lib/dpkg/info/one.list").write_text("".join(
        f"/{found.relative_to(dpkg)}\n" for found in dpkg.rglob("*.py")))


def compiled(dpkg: Path) -> list[str]:
    return [found.name.split(".")[0] for found in dpkg.rglob("*.pyc")]


def test_files_are_compiled_as_they_are_unpacked(tmp_path: Path,
                                                 dpkg: Path) -> None:
    (tmp_path / "work").mkdir()
    with subprocess.Popen([COMPILE, tmp_path / "work", dpkg]) as child:
        time.sleep(1)
        list_files(dpkg)
        deadline = time.monotonic() + 20
        while not compiled(dpkg) and time.monotonic() < deadline:
            time.sleep(0.05)
        (tmp_path / "work" / "done").touch()
        assert child.wait(20) == 0
    assert compiled(dpkg) == ["a"]  # b is no Python 3, c no public module


@pytest.mark.parametrize("call", ["-p one", "-p one -V 3.7-"])
def test_the_rest_is_compiled_at_the_end(tmp_path: Path, dpkg: Path,
                                         call: str) -> None:
    list_files(dpkg)  # before the program starts, so it does not look there
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "done").touch()
    subprocess.run([COMPILE, tmp_path / "work", dpkg], check=True, timeout=20)
    assert compiled(dpkg) == []
    (tmp_path / "work" / "calls").write_text(call + "\n")
    subprocess.run([COMPILE, tmp_path / "work", dpkg], check=True, timeout=20)
    assert compiled(dpkg) == ["a"]


def test_other_calls_go_to_the_real_py3compile(tmp_path: Path,
                                               dpkg: Path) -> None:
    (tmp_path / "py3compile").write_text(f"#!/bin/sh\necho \"$*\" "
                                         f">>{tmp_path}/real\n")
    (tmp_path / "py3compile").chmod(0o755)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "done").touch()
    (tmp_path / "work" / "calls").write_text("-p one /usr/share/one\n-p one\n")
    subprocess.run([COMPILE, tmp_path / "work", dpkg], check=True, timeout=20,
                   env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert (tmp_path / "real").read_text() == "-p one /usr/share/one\n"


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
            if re.match(r"\w+ +(default|later) ", line)] == USUAL


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
