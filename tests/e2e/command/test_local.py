"""tools/local (`make run`, `make start`, `make stop`) and terrariumd's command
line, as a person meets them. Needs no server; starts its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Optional

import pytest
from client import Client
from own_server import DAEMON, LOCAL, Place

ROOT = Path(__file__).resolve().parents[3]


def test_start_twice_and_stop_twice(place: Place) -> None:
    first = place("start")
    assert first.returncode == 0, first.stderr
    assert place.client().value("1 + 1") == 2
    again = place("start")
    assert again.returncode == 0 and "already" in again.stdout
    assert place.client().value("1 + 1") == 2
    pid = int((place.prefix / "terrariumd.pid").read_text())
    stopped = place("stop")
    assert stopped.returncode == 0 and "Stopped" in stopped.stdout
    assert not Path(f"/proc/{pid}").exists()
    assert not (place.prefix / "env").exists()
    again = place("stop")
    assert again.returncode == 0 and "not running" in again.stdout


def test_start_with_other_settings_says_so_and_fails(place: Place) -> None:
    assert place("start", WORKERS="3").returncode == 0
    same = place("start", WORKERS="3", STATUS_PORT=str(place.port + 1))
    assert same.returncode == 0, same.stderr
    for name, value, says in (
            ("WORKERS", "4", "WORKERS is 3 there, not 4"),
            ("WORKERS", "", "WORKERS is 3 there, not its default"),
            ("PORT", "1", f"PORT is {place.port} there, not 1"),
            ("NGINX_RATE", "5", "NGINX_RATE is its default there, not 5"),
            ("NGINX_CONCURRENCY", "5", "NGINX_CONCURRENCY is"),
            ("NGINX_CORS", "null", "NGINX_CORS is"),
            ("CONF_EXTRA", "pool.armed=1", "not guest.preload=json;"),
            ("ARMED", "1", "ARMED is its default there, not 1")):
        other = place("start", **{"WORKERS": "3", name: value})
        assert other.returncode == 1 and other.stdout == "", name
        words = other.stderr.strip().splitlines()
        assert len(words) == 1 and says in words[0], words
        assert "already" in words[0] and "make stop" in words[0]
    assert place.client().value("1 + 1") == 2
    assert place("stop").returncode == 0
    assert not (place.prefix / "settings").exists()
    assert place("start", WORKERS="4").returncode == 0


def test_settings_of_nginx(place: Place) -> None:
    """Those that a start has, for a token without limits of its own."""
    assert place("start", NGINX_RATE="7", NGINX_CONCURRENCY="9",
                 NGINX_CORS="https://a.example null").returncode == 0
    text = (place.prefix / "nginx.conf").read_text()
    assert "zone=default_rate:4m rate=7r/s;" in text
    assert text.count("zone=default_rate burst=14 nodelay;") == \
        text.count("limit_req zone=default_rate ") > 0
    assert "limit_conn default_open 9;" in text
    assert '$cors_origins { default "https://a.example null"; }' in text
    assert place.client().value("1 + 1") == 2


@pytest.mark.parametrize("name, value", [
    ("NGINX_RATE", "0"), ("NGINX_RATE", "fast"), ("NGINX_RATE", "5r/m"),
    ("NGINX_CONCURRENCY", "0"), ("NGINX_CONCURRENCY", "65536"),
    ("NGINX_CORS", 'x"; }'), ("NGINX_CORS", "a|b"), ("NGINX_CORS", "$uri"),
])
def test_a_bad_setting_of_nginx_is_one_sentence(place: Place, name: str,
                                                value: str) -> None:
    found = place("start", **{name: value})
    assert found.returncode != 0
    assert len(found.stderr.strip().splitlines()) == 1, found.stderr
    assert name in found.stderr


def test_tokens_of_an_earlier_version(place: Place) -> None:
    """They have no files beside them, which nginx needs now."""
    assert place("start").returncode == 0
    assert place("stop").returncode == 0
    for name in ("tokens.conf", "tokens.limits"):
        (place.prefix / "etc" / name).unlink()
    token = (place.prefix / "etc/token").read_text()
    assert place("start").returncode == 0
    assert place.client().value("1 + 1") == 2
    assert (place.prefix / "etc/token").read_text() == token


def test_run_shows_a_chart_and_what_to_try(place: Place) -> None:
    child = subprocess.Popen([str(LOCAL), "run"], text=True,
                             env=place.with_default_guest().env,
                             stdout=subprocess.PIPE)
    lines: list[str] = []
    assert child.stdout is not None
    for line in child.stdout:
        lines.append(line)
        if "until Ctrl-C" in line:
            break
    begun = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 0
    assert time.monotonic() - begun < 10
    text = "".join(lines)
    assert len(re.findall(r"^  curl .*https://127\.0\.0\.1", text,
                          re.M)) == 2
    assert '"success": true' in text and "chart.png" in text
    chart = (place.prefix / "chart.png").read_bytes()
    assert chart.startswith(b"\x89PNG\r\n") and len(chart) > 2000


def read_until(child: subprocess.Popen, last: str) -> str:
    """The output up to a line that holds LAST."""
    text = ""
    assert child.stdout is not None
    for line in child.stdout:
        text += line
        if last in line:
            return text
    raise AssertionError(f"{last!r} is not in {text!r}")


def test_packages_that_come_later_are_seen(place: Place,
                                           tmp_path: Path) -> None:
    """By programs after a reload, when the server serves already. Until then
    the error of a missing module says that packages come."""
    (tmp_path / "go").touch()
    later = f"echo Installing; while [ -e {tmp_path}/go ]; do sleep 0.1; done"
    seen = ("import os\ntry:\n    import a_module\nexcept ImportError as e:\n"
            "    words = str(e)\n"
            "['being added' in words, 'TERRARIUM_INSTALLING' in os.environ]")
    with subprocess.Popen([str(LOCAL), "run"], text=True,
                          env={**place.env, "LATER": later, "COMING": "some"},
                          stdout=subprocess.PIPE) as child:
        try:
            text = read_until(child, "being installed")
            assert "until Ctrl-C" in text
            assert place.client().value(seen) == [True, False]
            (tmp_path / "go").unlink()
            read_until(child, "All packages for programs are installed.")
            log = (place.prefix / "log/terrarium.log").read_text()
            assert ": reloading" in log
            assert place.client().value(seen) == [False, False]
        finally:
            child.send_signal(signal.SIGINT)


def test_packages_that_cannot_come_are_named(place: Place) -> None:
    later = "echo 'Installing'; echo 'apt-get has no luck.'; exit 3"
    with subprocess.Popen([str(LOCAL), "run"], text=True,
                          env={**place.env, "LATER": later},
                          stdout=subprocess.PIPE) as child:
        try:
            text = read_until(child, "apt-get has no luck.")
            assert "missing" in text and "All packages" not in text
            assert place.client().value("1 + 1") == 2
        finally:
            child.send_signal(signal.SIGINT)


def test_no_package_that_is_missing_is_no_reload(place: Place) -> None:
    with subprocess.Popen([str(LOCAL), "run"], text=True,
                          env={**place.env, "LATER": "true"},
                          stdout=subprocess.PIPE) as child:
        read_until(child, "until Ctrl-C")
        time.sleep(2)
        child.send_signal(signal.SIGINT)
        assert child.stdout is not None
        assert child.stdout.read().strip() == "Stopping."
    log = (place.prefix / "log/terrarium.log").read_text()
    assert ": reloading" not in log


def test_nginx_has_nothing_to_warn_of(place: Place) -> None:
    assert place("start", CHART="yes").returncode == 0
    for name in ("nginx.log", "error.log"):
        assert (place.prefix / "log" / name).read_text() == "", name


def test_the_curl_lines_work(place: Place) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    assert place("start", CHART="yes").returncode == 0
    text = (place.prefix / "start.log").read_text()
    answers = [subprocess.run(["sh", "-c", line + " -s"], text=True,
                              capture_output=True, check=True).stdout
               for line in re.findall(r"^  (curl .*)$", text, re.M)]
    assert '"final_expression":2' in answers[0]
    assert '"final_expression":{"a":3}' in answers[1]


def test_a_port_in_use_is_one_sentence(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", place.port))
        taken.listen()
        found = place("start")
    assert found.returncode != 0
    words = found.stderr.strip().splitlines()
    assert len(words) == 1 and str(place.port) in words[0]
    assert "PORT=" in words[0]


def test_a_place_that_cannot_be_is_one_sentence(place: Place) -> None:
    found = place("start", PREFIX="/dev/null/run")
    assert found.returncode != 0
    assert len(found.stderr.strip().splitlines()) == 1, found.stderr
    assert "/dev/null" in found.stderr


@pytest.mark.parametrize("port", ["no", "0", "70000", "-1"])
def test_a_bad_port_is_one_sentence(place: Place, port: str) -> None:
    found = place("start", PORT=port)
    assert found.returncode != 0
    assert len(found.stderr.strip().splitlines()) == 1
    assert "PORT" in found.stderr


def test_workers(place: Place) -> None:
    assert place("start", WORKERS="3").returncode == 0
    url = place.assignments()["TERRARIUM_STATUS_URL"]
    pool = Client(url).request("GET", "/status").json()["pool"]
    assert pool["workers_max"] == 3


# -- terrariumd


def daemon(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([DAEMON, *words], capture_output=True, text=True,
                          timeout=30)


def test_version_and_help() -> None:
    assert re.fullmatch(r"terrariumd \d+\.\d+\.\d+\n",
                        daemon("--version").stdout)
    words = daemon("--help").stdout
    for option in ("--config", "--test", "--print-config",
                   "--print-manual", "--print-filter", "--print-openapi",
                   "--version"):
        assert option in words


def test_print_config_is_the_installed_file() -> None:
    assert daemon("--print-config").stdout == \
        (ROOT / "conf" / "terrarium.conf").read_text()


def test_print_filter_names_the_reasons() -> None:
    words = daemon("--print-filter").stdout
    assert re.search(r"^threads +clone +pthread_create", words, re.M)
    assert re.search(r"^not done +clone3 +ENOSYS", words, re.M)


def test_check(tmp_path: Path) -> None:
    conf = tmp_path / "t.conf"
    conf.write_text("[walls]\ncgroups = optional\n[server]\n"
                    f"socket = {tmp_path}/s\nstatus_socket = {tmp_path}/t\n")
    good = daemon("-c", str(conf), "-t")
    assert good.returncode == 0, good.stdout
    for layer in ("kernel", "namespaces", "users", "control groups",
                  "Landlock", "system calls"):
        assert re.search(rf"^(ok|without) +{layer}", good.stdout, re.M)


@pytest.mark.parametrize("text,has", [
    ("[pool]\nworkers = many\n", ":2: pool.workers"),
    ("[pool]\nnonsense = 1\n", ":2: "),
    ("workers = 1\n", ":1: "),
])
def test_a_bad_configuration_is_one_sentence(tmp_path: Path, text: str,
                                             has: str) -> None:
    conf = tmp_path / "t.conf"
    conf.write_text(text)
    for words in (["-t"], []):
        found = daemon("-c", str(conf), *words)
        said = (found.stdout + found.stderr).strip()
        assert found.returncode == 1 and has in said
        assert len(said.splitlines()) == 1


def test_unknown_option() -> None:
    assert daemon("--nonsense").returncode == 2
    assert daemon("word").returncode == 2


def test_install_and_uninstall(tmp_path: Path) -> None:
    if DAEMON != str(ROOT / "build" / "terrariumd"):
        pytest.skip("another build than the one that is installed")

    def make(target: str) -> Any:
        return subprocess.run(
            ["make", "-C", str(ROOT), target, f"DESTDIR={tmp_path}",
             "prefix=/opt/t"], capture_output=True, text=True, timeout=120)

    if not os.access(ROOT / "build" / "obj", os.W_OK):
        pytest.skip("build/ is not writable by this user")
    done = make("install")
    assert done.returncode == 0, done.stderr
    bin_ = tmp_path / "opt/t/sbin/terrariumd"
    assert subprocess.run([str(bin_), "--version"]).returncode == 0
    link = tmp_path / "opt/t/bin/code_executor"
    done = subprocess.run([str(link), "--syntax-check"], input="x =",
                          capture_output=True, text=True)
    assert '"ok":false' in done.stdout and "SyntaxError" in done.stdout
    for page in ("man1/terrarium.1", "man5/terrarium.conf.5",
                 "man8/terrariumd.8"):
        assert (tmp_path / "opt/t/share/man" / page).is_file()
    assert (tmp_path / "opt/t/share/doc/terrarium/docs/api.md").is_file()
    conf = tmp_path / "etc/terrarium/terrarium.conf"
    conf.write_text("# mine\n")
    assert make("install").returncode == 0
    assert conf.read_text() == "# mine\n", "an operator's file is replaced"
    assert make("uninstall").returncode == 0
    left = [p for p in tmp_path.rglob("*")
            if p.is_file() or p.is_symlink()]
    assert left == [conf]


def test_a_second_server_is_refused(place: Place) -> None:
    assert place("start").returncode == 0
    found = daemon("-c", str(place.prefix / "terrarium.conf"))
    assert found.returncode == 1
    assert re.search(r"another server, process \d+, has the same |socket",
                     found.stderr), found.stderr
    assert place.client().value("1 + 1") == 2


# -- a control group of its own

MANAGER = """\
#!/bin/sh
echo "$@" >>{log}
[ -z "{refusal}" ] || {{ echo "{refusal}" >&2; exit 1; }}
while [ $# -gt 0 ]; do
    case $1 in
    -p) shift 2 ;;
    -*) shift ;;
    *) exec "$@" ;;
    esac
done
"""


class Booted:
    """Commands where a systemd seems to run; it logs its requests."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "asked"
        self.folder = folder

    def __call__(self, *words: str, refusal: str = "",
                 env: Optional[dict[str, str]] = None,
                 ) -> subprocess.CompletedProcess:
        fake = self.folder / "systemd-run"
        fake.write_text(MANAGER.format(log=self.log, refusal=refusal))
        fake.chmod(0o755)
        env = dict(os.environ if env is None else env)
        env["PATH"] = f"{self.folder}:{env['PATH']}"
        return subprocess.run(
            ["unshare", "-m", "sh", "-c",
             "mount -t tmpfs none /run && mkdir -p /run/systemd/system && "
             'exec "$@"', "sh", str(LOCAL), *words], env=env, text=True,
            capture_output=True, timeout=240)

    def asked(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def booted(tmp_path: Path) -> Booted:
    if os.geteuid() != 0:
        pytest.skip("hiding /run from a command takes root")
    return Booted(tmp_path)


def test_a_server_is_alone_in_a_delegated_scope(booted: Booted,
                                                place: Place) -> None:
    found = booted("start", env=place.env)
    assert found.returncode == 0, found.stderr
    assert place.client().value("1 + 1") == 2
    tried, started = booted.asked()
    for words in (tried, started):
        assert words.startswith("--scope --quiet --collect -p Delegate=yes ")
    assert tried.endswith(" true")
    assert f" --unit=terrarium-{place.port}-" in started
    assert f" {DAEMON} -c {place.prefix}/terrarium.conf" in started
    # Alone: nginx and this command are elsewhere.
    assert len(booted.asked()) == 2


def test_a_manager_that_gives_no_scope_is_named(booted: Booted) -> None:
    found = booted("alone", "echo", "here", refusal="no, not today")
    assert found.returncode == 0
    assert found.stdout == ("systemd gives no control group of its own: no, "
                            "not today\nhere\n")


def test_a_command_alone_keeps_its_process() -> None:
    child = subprocess.Popen([str(LOCAL), "alone", "sh", "-c", "echo $$"],
                             stdout=subprocess.PIPE, text=True)
    out, _ = child.communicate(timeout=60)
    assert out.splitlines()[-1] == str(child.pid)
