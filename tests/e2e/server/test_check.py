"""`terrariumd -t`: its report on the layers and the host, and its exit
status; and that SECURITY.md names tests, settings and numbers that exist.
Needs no server."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]
DAEMON = os.environ.get("DAEMON") or str(ROOT / "build" / "terrariumd")
WITHOUT = str(ROOT / "tests" / "hostile" / "without")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

# Verdict, name in 15 columns, words; the host's lines and the last ones.
LINE = re.compile(r"(ok     |without|MISSING|advice |unknown) (.{15}) (\S.*)")
LAST = re.compile(r"The (host could be safer|server would not start): .*\.")


class Said:
    def __init__(self, done: subprocess.CompletedProcess) -> None:
        self.status, self.text = done.returncode, done.stdout
        assert done.stderr == "", done.stderr
        self.layers: dict[str, tuple[str, str]] = {}
        self.host: list[tuple[str, str]] = []
        self.last: list[str] = []
        for line in self.text.splitlines():
            found = LINE.fullmatch(line)
            if not found:
                assert LAST.fullmatch(line), line
                self.last.append(line)
            elif found[2].strip() == "host":
                self.host.append((found[1].strip(), found[3]))
            else:
                self.layers[found[2].strip()] = (found[1].strip(), found[3])

    def advice(self) -> list[str]:
        return [words for verdict, words in self.host if verdict == "advice"]


@pytest.fixture
def conf() -> Iterator[Path]:
    """Another user can read it too, which pytest's directories prevent."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = Path(folder, "t.conf")
        path.write_text("[walls]\ncgroups = optional\n")
        path.chmod(0o644)
        yield path


def check(conf: Path, *before: str) -> Said:
    text = conf.read_text()
    if "[server]" not in text:  # the default's directory may be missing
        conf.write_text(f"{text}[server]\nsocket = {conf.parent}/s.sock\n"
                        f"status_socket = {conf.parent}/t.sock\n")
    return Said(subprocess.run([*before, DAEMON, "-c", str(conf), "-t"],
                               capture_output=True, text=True, timeout=30))


def refusing(conf: Path, calls: str) -> Said:
    return check(conf, WITHOUT, calls)


# ---- the layers ------------------------------------------------------------


def test_each_layer_has_a_line(conf: Path) -> None:
    said = check(conf)
    assert said.status == 0, said.text
    assert list(said.layers) == [
        "configuration", "kernel", "namespaces", "users", "control groups",
        "memory", "other servers", "Landlock", "system calls", "kernel calls",
        "standby", "preload", "paths", "socket's group", "tcp sockets", "nginx's user",
        "nginx's limits"]
    assert said.layers["configuration"] == ("ok", str(conf))
    assert not any("would not start" in line for line in said.last)


def test_what_is_switched_off_is_done_without(conf: Path) -> None:
    conf.write_text("[walls]\ncgroups = off\nlandlock = off\n")
    said = check(conf)
    assert said.status == 0
    for layer in ("control groups", "Landlock"):
        assert said.layers[layer] == ("without", "switched off")


@pytest.mark.parametrize("want,verdict,status", [
    ("require", "MISSING", 1), ("optional", "without", 0)])
def test_no_landlock(conf: Path, want: str, verdict: str,
                     status: int) -> None:
    conf.write_text(f"[walls]\ncgroups = optional\nlandlock = {want}\n")
    said = refusing(conf, "landlock_create_ruleset=ENOSYS")
    assert said.layers["Landlock"][0] == verdict
    assert "the mounts alone" in said.layers["Landlock"][1]
    assert said.status == status
    assert ("would not start: 1 of the above is" in said.text) == (status > 0)


def test_no_namespaces(conf: Path) -> None:
    said = refusing(conf, "unshare=EPERM")
    verdict, words = said.layers["namespaces"]
    assert (verdict, said.status) == ("MISSING", 1)
    assert "user.max_user_namespaces" in words
    assert said.last[-1].startswith("The server would not start: 1 ")


def test_without_root(conf: Path) -> None:
    said = check(conf, *(AS_NOBODY if os.geteuid() == 0 else []))
    verdict, words = said.layers["users"]
    assert verdict == "without" and "not root" in words


def test_groups_are_tried_as_a_start_would(conf: Path) -> None:
    local = str(ROOT / "tools" / "local")
    verdict, words = check(conf, local, "alone").layers["control groups"]
    if verdict != "ok":
        pytest.skip(f"no control groups: {words}")
    assert re.fullmatch(r"version [12], below /sys/fs/cgroup/?\S*; one was "
                        r"made, and entered in \d+\.\d ms( \(.*\))?",
                        words), words
    assert not [name for _, names, _ in os.walk("/sys/fs/cgroup")
                for name in names if ".check-" in name]


def test_groups_that_are_not_ours_are_missing(conf: Path) -> None:
    """Even where /sys/fs/cgroup itself seems writable."""
    if os.geteuid() != 0:
        pytest.skip("needs a user that was given no group")
    conf.write_text("[walls]\ncgroups = require\n")
    said = check(conf, *AS_NOBODY)
    verdict, words = said.layers["control groups"]
    assert (verdict, said.status) == ("MISSING", 1)
    assert re.search(r"not delegated to this user|no memory controller|"
                     r"no \w+ controller|read-only", words), words
    assert "resource limits alone" in words and "start it as" in words
    assert "cgroups = o" not in words  # no wall is taken away first


def test_numbers_are_the_filters(conf: Path) -> None:
    table = subprocess.run([DAEMON, "--print-filter"], capture_output=True,
                           text=True, timeout=30).stdout
    guest, worker, *_ = re.findall(r"^(\d+) calls allowed", table, re.M)
    words = check(conf).layers["system calls"][1]
    assert re.fullmatch(rf"{guest} calls allowed, \d+ instructions; for a "
                        rf"worker {worker}, \d+", words), words


# ---- paths -----------------------------------------------------------------

# A line of [server] or [guest], and a part of the sentence. A start ends for
# each of them.
PATHS = [
    ("server", "socket = {}/none/s.sock", "server.socket"),
    ("server", "status_socket = {0}/none/t.sock\nstreams_socket = {0}/u",
     "server.status_socket"),
    ("server", "streams_socket = {}/none/u.sock", "server.streams_socket"),
    ("server", "pid_file = {}/none/pid", "server.pid_file"),
    ("server", "cache_dir = {}/none/cache", "server.cache_dir"),
    ("server", "artifacts_dir = {}/none/kept", "server.artifacts_dir"),
    ("server", "artifacts_dir = {}/t.conf", "server.artifacts_dir"),
    ("guest", "python_path = /usr/lib:{}/none", "guest.python_path"),
    ("guest", "skeleton = {}/none", "guest.skeleton"),
]


@pytest.mark.parametrize("section,line,named", PATHS)
def test_a_missing_path_is_named(conf: Path, section: str, line: str,
                                 named: str) -> None:
    folder = str(conf.parent)
    line = line.format(folder)
    sockets = [f"{name} = {folder}/{name}" for name in
               ("socket", "status_socket") if not line.startswith(name)]
    conf.write_text("\n".join(["[server]", *sockets, f"[{section}]", line, ""]))
    said = check(conf)
    verdict, words = said.layers["paths"]
    assert (verdict, said.status) == ("MISSING", 1), said.text
    assert words.startswith(f"{named} = "), words
    assert words.count(" = ") == 1, words


def test_a_directory_that_a_start_makes_is_no_fault(conf: Path) -> None:
    folder = conf.parent
    conf.write_text(f"[server]\nsocket = {folder}/s\n"
                    f"status_socket = {folder}/t\n"
                    f"cache_dir = {folder}/cache\n"
                    f"artifacts_dir = {folder}/kept\n")
    assert check(conf).layers["paths"][0] == "ok"
    assert sorted(path.name for path in folder.iterdir()) == ["t.conf"]


def test_an_unknown_group_is_named(conf: Path) -> None:
    conf.write_text(f"[server]\nsocket = {conf.parent}/s\n"
                    f"status_socket = {conf.parent}/t\n"
                    "socket_group = no-such-group\n")
    said = check(conf)
    verdict, words = said.layers["socket's group"]
    assert (verdict, said.status) == ("MISSING", 1), said.text
    assert "server.socket_group = no-such-group" in words


# ---- kernel calls ----------------------------------------------------------


def test_kernel_calls_are_tried(conf: Path) -> None:
    verdict, words = check(conf).layers["kernel calls"]
    number = re.fullmatch(r"(\d+) of (\d+) were tried, and work", words)
    assert verdict == "ok" and number and number[1] == number[2], words
    assert int(number[1]) > 20


NEEDED = ["openat2", "close_range", "pidfd_open", "pidfd_send_signal",
          "memfd_create", "setns", "mount", "fsopen", "fsconfig", "fsmount",
          "open_tree", "mount_setattr", "move_mount", "pivot_root",
          "umount2", "setfsuid", "setresuid", "capset", "seccomp"]


@pytest.mark.parametrize("call", NEEDED)
@pytest.mark.parametrize("error", ["ENOSYS", "EPERM"])
def test_a_refused_call_is_named(conf: Path, call: str, error: str) -> None:
    said = refusing(conf, f"{call}={error}")
    verdict, words = said.layers["kernel calls"]
    assert (verdict, said.status) == ("MISSING", 1), said.text
    assert call in words and "SystemCallFilter" in words
    # The named step failed itself, not because of another.
    assert len(words.split("(")) == 3, words


@pytest.mark.parametrize("call", ["clone3", "setpriority"])
def test_an_optional_call_is_done_without(conf: Path, call: str) -> None:
    said = refusing(conf, f"{call}=EPERM")
    verdict, words = said.layers["kernel calls"]
    assert (verdict, said.status) == ("without", 0), said.text
    assert call in words and "SystemCallFilter" in words


@pytest.mark.parametrize("error", ["ENOSYS", "EPERM", "KILL"])
def test_it_does_not_start_without_openat2(conf: Path, error: str) -> None:
    """Files of programs would vanish."""
    folder = conf.parent
    conf.write_text("[walls]\ncgroups = optional\n[server]\n"
                    f"socket = {folder}/s.sock\n"
                    f"status_socket = {folder}/t.sock\n")
    done = subprocess.run([WITHOUT, f"openat2={error}", DAEMON, "-c",
                           str(conf)], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 1, done.stderr
    assert "openat2" in done.stderr and "SystemCallFilter" in done.stderr
    assert "serving on" not in done.stderr
    assert not (folder / "s.sock").exists()


# ---- the host --------------------------------------------------------------


def sysctl(name: str) -> str:
    return (Path("/proc/sys") / name.replace(".", "/")).read_text().strip()


WANTED = {"kernel.io_uring_disabled": "12", "kernel.kptr_restrict": "12",
          "kernel.dmesg_restrict": "1", "kernel.randomize_va_space": "2",
          "fs.protected_symlinks": "1", "debug.exception-trace": "0"}


@pytest.mark.parametrize("name", WANTED)
def test_settings_are_this_hosts(conf: Path, name: str) -> None:
    try:
        value = sysctl(name)
    except FileNotFoundError:
        pytest.skip(f"this kernel has no {name}")
    except PermissionError:
        pytest.skip(f"{name} is not for this user to read")
    want = "ok" if value in WANTED[name] else "advice"
    mine = [(verdict, words) for verdict, words in check(conf).host
            if words.startswith(name + " ")]
    assert len(mine) == 1
    assert mine[0][0] == want and f" is {value}" in mine[0][1], mine


def test_advice_does_not_keep_it_from_starting(conf: Path) -> None:
    said = check(conf)
    advice = said.advice()
    assert said.status == 0
    if not advice:
        pytest.skip("this host has all that it should have")
    assert all("; better " in words or words.startswith("the processor")
               for words in advice)
    assert said.last == [
        f"The host could be safer: {len(advice)} of the above "
        f"{'are' if len(advice) > 1 else 'is'} advice, which never keeps "
        "the server from starting."]


def test_a_bad_configuration_is_all_that_is_said(conf: Path) -> None:
    conf.write_text("[pool]\nworkers = many\n")
    said = check(conf)
    assert said.status == 1 and not said.host
    assert list(said.layers) == ["configuration"]


# ---- SECURITY.md -----------------------------------------------------------


def programs() -> set[str]:
    return {path.name.split("_")[0] for path in
            (ROOT / "tests/hostile/programs").glob("*.py")}


def choreographies() -> set[str]:
    text = "".join(path.read_text() for path in
                   (ROOT / "tests/hostile").glob("test_*.py"))
    return set(re.findall(r'attack\("(L\d\d)_', text))


def test_security_names_programs_that_exist() -> None:
    known = programs() | choreographies()
    said = set()
    for first, last in re.findall(r"\b([A-L]\d\d[b-d]?)(?: to "
                                  r"([A-L]\d\d))?\b", SECURITY):
        said.add(first)
        if last:
            assert first[0] == last[0]
            said |= {f"{first[0]}{number:02}" for number in
                     range(int(first[1:3]), int(last[1:3]) + 1)}
    assert len(said) > 60
    assert said <= known, said - known
    # Each program that exists stands behind some promise.
    assert {name[:3] for name in known} <= {name[:3] for name in said}, \
        sorted({name[:3] for name in known} - {name[:3] for name in said})


def test_security_names_files_and_tests_that_exist() -> None:
    """`path: name, name` in backquotes: a file, and its definitions."""
    found = 0
    for path, names in re.findall(r"`((?:tests|sandbox|fcgi|conf)/[^`:\s]+)"
                                  r"(?::\s+([^`]+))?`", SECURITY):
        paths = list(ROOT.glob(path))
        assert paths, path
        text = "".join(one.read_text(encoding="utf-8") for one in paths
                       if one.is_file())
        for name in re.split(r",\s+", names) if names else []:
            assert re.search(rf"^ *(static void|def) {name}\(", text, re.M), \
                f"{path}: {name}"
            if path.endswith(".c"):  # and it is run
                assert len(re.findall(rf"\b{name}\b", text)) > 1, name
            found += 1
    assert found > 30


def test_security_has_the_numbers_of_the_filter() -> None:
    for role, words in (("a guest may", "guest"),
                        ("a worker that waits", "worker"),
                        ("the status process,",
                         "status process, streams process"),
                        ("a session's keeper", "session keeper"),
                        ("the init of", "init")):
        said = re.search(rf"\| Terrarium, {words} \| (\d+) \|", SECURITY)
        assert said, words
        table = subprocess.run([DAEMON, "--print-filter"],
                               capture_output=True, text=True,
                               timeout=30).stdout
        part = table.split(f"Calls that {role} ")[1]
        count = re.search(r"^(\d+) calls allowed", part, re.M)
        assert count and said[1] == count[1], role


def test_security_lists_every_setting() -> None:
    """Those that -t looks at, with the values that it wants."""
    code = (ROOT / "fcgi/host/check_host.c").read_text()
    rows = re.findall(r'\{"proc/sys/[^"]+",\s+"([^"]+)",\s+'
                      r'CHECK_IS(?:_ONE_OF)?\(([^)]*)\)', code)
    assert len(rows) == 13
    for name, values in rows:
        want = " or ".join(values.split(", "))
        assert f"| `{name}` | {want} |" in SECURITY, (name, want)


def test_memory_is_added_up(conf: Path) -> None:
    """More than there is for all is advice, with the figures."""
    verdict, words = check(conf).layers["memory"]
    said = re.match(
        r"16 programs of 816 MB and (\d+) sessions of 7 MB may use (\d+) MB; "
        r"walls.memory_percent = 80 leaves \d+ MB", words)
    assert said and int(said[2]) == 16 * 816 + 7 * int(said[1]), words
    conf.write_text("[walls]\ncgroups = optional\n[sessions]\nmax = 3\n")
    assert check(conf).layers["memory"][1].startswith(
        f"16 programs of 816 MB and 3 sessions of 816 MB may use {19 * 816} ")
    conf.write_text("[walls]\ncgroups = optional\n[pool]\nworkers = 512\n"
                    "[limits]\nmemory_mb = 4096\n")
    said = check(conf)
    verdict, words = said.layers["memory"]
    assert (verdict, said.status) == ("advice", 0), words
    assert "lower pool.workers" in words


# ---- the preload -----------------------------------------------------------


def test_missing_modules_of_the_preload_are_named(conf: Path,
                                                  tmp_path: Path) -> None:
    """As a start would find them, with packages below guest.python_path; and
    no code of these is run."""
    mark = tmp_path / "it-ran"
    for name in ("direct", "linked"):
        (tmp_path / name / "pack").mkdir(mode=0o755, parents=True)
        (tmp_path / name / "pack" / "__init__.py").write_text("")
    (tmp_path / "direct" / "pack" / "inner.py").write_text(
        f"open({str(mark)!r}, 'w')")
    (tmp_path / "linked" / "other.py").write_text("")
    (tmp_path / "direct" / "more.pth").write_text(
        f"# a comment\n{tmp_path / 'linked'}\n")
    tmp_path.chmod(0o755)

    def row(preload: str) -> "tuple[str, str]":
        conf.write_text(f"[guest]\npreload = {preload}\n"
                        f"python_path = {tmp_path / 'direct'}\n"
                        "[walls]\ncgroups = optional\n")
        return check(conf).layers["preload"]

    there = "json os.path sys xml.dom.minidom pack.inner other"
    assert row(there) == ("ok", f"all modules are installed: {there}")
    verdict, words = row("json nnumpy pack.outer xml.dom.minidon other")
    assert verdict == "MISSING"
    assert words.endswith("guest.python_path: nnumpy pack.outer "
                          "xml.dom.minidon")
    assert not mark.exists()
