"""What an operator sees of a server: the lines of the log, /status, /metrics.
Starts servers of its own."""

from __future__ import annotations

import json
import os
import re
import fcntl
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Iterator

import pytest
import unpacked
from client import Client
from conftest import Status, wait_until
from own_server import DAEMON, ROOT, Place

F_SETPIPE_SZ = 1031
PATIENCE_S = 60.0
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
OPEN = {"Accept": "application/openmetrics-text;version=1.0.0,*/*;q=0.1"}


class Server:
    def __init__(self, place: Place, *options: str, **env: str) -> None:
        started = place("start", CONF_EXTRA=";".join(options), **env)
        assert started.returncode == 0, started.stderr
        self.place, self.client = place, place.client()
        self.status = Status(place.assignments()["TERRARIUM_STATUS_URL"])

    def page(self, path: str, **headers: str) -> str:
        reply = self.status.client.request("GET", path, headers=headers)
        assert reply.status == 200, reply
        return reply.body.decode()

    def log(self) -> list[str]:
        path = self.place.prefix / "log/terrarium.log"
        return path.read_text().splitlines()

    def line(self, request: str, slow: bool = False) -> str:
        """The one line of a request, or of its slow run."""
        found: list[str] = []

        def there() -> bool:
            found[:] = [line for line in self.log() if
                        f'"id":"{request}"' in line and
                        ('"event":"slow"' in line) == slow]
            return bool(found)

        wait_until(there, PATIENCE_S, "a line of the request")
        assert len(found) == 1
        return found[0]

    def record(self, request: str, slow: bool = False) -> "dict[str, Any]":
        return json.loads(self.line(request, slow))

    def samples(self) -> "dict[str, float]":
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in
                 self.page("/metrics").splitlines() if line[0] != "#")}


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Iterator[Server]:
    yield Server(shared_place, "log.slow_after_ms=300", WORKERS="2",
                 ARMED="1")


# ---- the log ---------------------------------------------------------------


def test_a_run_has_one_line(server: Server) -> None:
    reply = server.client.post({"code": "print('secret' * 3)\n40 + 2",
                                "stdin": "hidden"})
    line = server.record(reply.json()["id"])
    assert re.fullmatch(TIME, line.pop("time"))
    assert {name: line.pop(name) for name in
            ("client", "path", "door", "status", "outcome")} == {
        "client": "local", "path": "/", "door": "native", "status": 200,
        "outcome": "ok"}
    assert line.pop("id") == reply.json()["id"]
    assert line.pop("bytes_out") == len(reply.body)
    assert line.pop("memory_peak_kb") > 100
    assert line.pop("total_ms") >= line.pop("runtime_ms") >= 0
    assert set(line) == {"queue_ms", "cpu_ms", "bytes_in"}
    token = server.place.assignments()["TERRARIUM_TOKEN"]
    text = "\n".join(server.log())
    for word in ("secret", "40 + 2", "hidden", token):
        assert word not in text


def test_an_exception_has_its_class(server: Server) -> None:
    line = server.record(server.client.post({"code": "{}['x']"}).json()["id"])
    assert (line["outcome"], line["exception"]) == ("raised", "KeyError")
    forged = 'type("A\\n\\"}<3>" + "x" * 500, (Exception,), {})()'
    line = server.record(
        server.client.post({"code": f"raise {forged}"}).json()["id"])
    assert len(line["exception"]) <= 64


def test_a_refusal_has_its_reason(server: Server) -> None:
    reply = server.client.post({"code": 3})
    line = server.record(reply.json()["id"])
    assert (line["status"], line["reason"], line["message"]) == (
        400, "bad_type", reply.json()["error"]["message"])
    assert "outcome" not in line and "runtime_ms" not in line


def test_limits_that_were_reached_are_named(server: Server) -> None:
    run = server.client.post({"code": "while True: pass", "timeout_ms": 400})
    line = server.record(run.json()["id"])
    assert line["limits"] == ["timeout_ms"] and line["slow"] is True
    run = server.client.post({"code": "print('x' * (3 << 20))"})
    assert server.record(run.json()["id"])["limits"] == ["output_kb"]


# Returns when the worker has asked where the program is.
ASKED = """\
import os, signal
out, into = os.pipe()
os.set_blocking(into, False)
signal.set_wakeup_fd(into)
def inner(text):  # hidden-comment
    while os.read(out, 1)[0] != signal.SIGURG:
        pass
    return text
def outer():
    return inner('hidden-text')
"""


def test_a_slow_run_says_where_it_is_and_goes_on(server: Server) -> None:
    reply = server.client.post({"code": ASKED + "outer()"}).json()
    assert reply["final_expression"] == "hidden-text"
    line = server.record(reply["id"], slow=True)
    assert re.fullmatch(TIME, line.pop("time"))
    assert line.pop("seconds") >= 0.3
    where = [frame.rpartition(":")[2] for frame in line.pop("traceback")]
    assert where == ["6 inner", "10 outer", "11 <module>"]
    assert line == {"id": reply["id"], "client": "local", "path": "/",
                    "door": "native", "event": "slow"}
    assert "hidden" not in "\n".join(server.log())
    assert server.record(reply["id"])["slow"] is True


def test_names_in_a_slow_runs_line_are_bounded(server: Server) -> None:
    """They are the program's: it may choose any."""
    forged = ASKED + """\
name = '\\x1b[31m\\n"}<3>\\ud800' + 'x' * 5000
inner.__code__ = inner.__code__.replace(co_name=name, co_filename=name)
def deep(n):
    return deep(n - 1) if n else inner('end')
deep.__code__ = deep.__code__.replace(co_name='\\x01' * 5000)
deep(100)
"""
    reply = server.client.post({"code": forged}).json()
    assert reply["final_expression"] == "end"
    line = server.line(reply["id"], slow=True)
    assert len(line) < 2048
    assert not re.search(r"[\x00-\x1f]", line)
    frames = json.loads(line)["traceback"]
    assert 2 <= len(frames) <= 20 and max(map(len, frames)) <= 250


def test_a_program_may_refuse_to_say_where_it_is(server: Server) -> None:
    """By its own signals, or by many answers that were not asked for."""
    deaf = ("import signal, time\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG])\n"
            "time.sleep(0.5)\n1")
    reply = server.client.post({"code": deaf}).json()
    assert reply["final_expression"] == 1
    assert "traceback" not in server.record(reply["id"], slow=True)
    talkative = ("import os, signal\n"
                 "for _ in range(50): os.kill(os.getpid(), signal.SIGURG)\n"
                 "2")
    reply = server.client.post({"code": talkative}).json()
    assert reply["final_expression"] == 2


def test_each_other_line_has_a_time_and_a_level(server: Server) -> None:
    for line in server.log():
        assert line.startswith('{"time":"') or re.match(
            rf"{TIME} (info|warn|error|debug) terrarium [a-z-]+\[\d+\]: .",
            line), line


def test_journald_gets_levels_and_no_times(tmp_path: Path) -> None:
    """JOURNAL_STREAM names the device and inode of its stream."""
    path = tmp_path / "none.conf"
    for ours in (True, False):
        read, write = os.pipe()
        st = os.fstat(write)
        env = {**os.environ,
               "JOURNAL_STREAM": f"{st.st_dev}:{st.st_ino + (not ours)}"}
        subprocess.run([DAEMON, "-c", str(path)], stderr=write, env=env,
                       timeout=PATIENCE_S)
        os.close(write)
        line = os.read(read, 4096).decode()
        os.close(read)
        assert bool(re.match(r"<3>terrarium master\[", line)) == ours, line
        assert bool(re.match(rf"{TIME} error terrarium master\[",
                             line)) == (not ours), line


def test_no_access_log(place: Place) -> None:
    """But for slow runs."""
    server = Server(place, "log.access=no", "log.slow_after_ms=300",
                    WORKERS="2", ARMED="1")
    quick = server.client.post({"code": "1"}).json()["id"]
    slow = server.client.post({"code": "import time; time.sleep(0.4)"})
    assert server.record(slow.json()["id"])["slow"] is True
    assert quick not in "\n".join(server.log())


def test_a_log_that_nothing_reads_delays_nothing(place: Place) -> None:
    """Its pipe is full: requests are served, what is lost is counted, and the
    log says so once it is read again."""
    folder = place.prefix.parent
    pipe, daemon = folder / "log-pipe", folder / "daemon"
    os.mkfifo(pipe)
    fd = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(fd, F_SETPIPE_SZ, 4096)
    daemon.write_text(f'#!/bin/sh\nexec {DAEMON} "$@" 2>{pipe}\n')
    daemon.chmod(0o755)
    place.env["DAEMON"] = str(daemon)
    server = Server(place, WORKERS="2", ARMED="1")
    try:
        for _ in range(40):
            assert server.client.value("1 + 1") == 2
        wait_until(lambda: server.samples()["terrarium_log_dropped_total"] > 9,
                   PATIENCE_S, "lost lines are counted")
        assert server.status.get()["log lines dropped"] > 9
        got = b""

        def told() -> bool:
            nonlocal got
            try:
                got += os.read(fd, 65536)
            except BlockingIOError:
                pass
            return b"log lines were dropped" in got

        wait_until(told, PATIENCE_S, "a line about the lost ones")
        lines = got.decode().splitlines()
        assert all(line.startswith(("{", "20")) for line in lines)
        assert server.client.value("1 + 1") == 2
    finally:
        place("stop")
        os.close(fd)


def test_the_log_goes_to_a_file_and_to_syslog(place: Place) -> None:
    """Instead of standard error. The file is opened again on USR1, and the
    writer is replaced when it dies; lines wait for it."""
    folder = Path(tempfile.mkdtemp())
    path, old, name = folder / "t.log", folder / "t.log.1", folder / "syslog"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as syslog:
        syslog.bind(str(name))
        os.chmod(name, 0o666)
        sent: list[str] = []

        def receive() -> None:
            while not sent or sent[-1] != "end":
                sent.append(syslog.recv(8192).decode())

        reader = threading.Thread(target=receive, daemon=True)
        reader.start()
        server = Server(place, f"log.file={path}", f"log.syslog={name}",
                        WORKERS="2", ARMED="1")
        master = int((place.prefix / "terrariumd.pid").read_text())
        try:
            assert not server.client.value(
                "import os; 'JOURNAL_STREAM' in os.environ")
            first = server.client.post({"code": "1"}).json()["id"]
            wait_until(lambda: first in path.read_text(), PATIENCE_S,
                       "its line in the file")
            assert stat.S_IMODE(path.stat().st_mode) == 0o640
            path.rename(old)
            os.kill(master, signal.SIGUSR1)
            wait_until(path.exists, PATIENCE_S, "the file is opened again")
            second = server.client.post({"code": "2"}).json()["id"]
            wait_until(lambda: second in path.read_text(), PATIENCE_S,
                       "its line in the new file")
            assert second not in old.read_text()
            writer = int(subprocess.run(
                ["pgrep", "-P", str(master), "-x", "log"],
                capture_output=True, text=True, check=True).stdout)
            os.kill(writer, signal.SIGKILL)
            third = server.client.post({"code": "3"}).json()["id"]
            wait_until(lambda: third in path.read_text(), PATIENCE_S,
                       "its line by the next writer")
            assert "log writer died" in path.read_text()
        finally:
            place("stop")
        lines = (old.read_text() + path.read_text()).splitlines()
        for line in lines:
            assert line.startswith('{"time":"') or re.match(
                rf"{TIME} (info|warn|error|debug) terrarium [a-z-]+\[\d+\]: .",
                line), line
        assert lines[-1].endswith(": stopped")
        assert first not in "\n".join(server.log())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"end", str(name))
        reader.join(PATIENCE_S)
    shutil.rmtree(folder)
    for line in sent[:-1]:
        assert re.match(r"<(27|28|30|31)>[A-Z][a-z]{2} [ \d]\d "
                        rf"\d\d:\d\d:\d\d terrarium\[{master}\]: [{{t]",
                        line), line
    assert any(first in line for line in sent)


# ---- metrics ---------------------------------------------------------------


def families(text: str) -> "dict[str, str]":
    """Name and type of each; every sample belongs to the one before it."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name = line.split()[2]
            assert name not in found, line
            found[name] = line.split()[3]
        elif line.startswith("# HELP "):
            assert len(line.split(" ", 3)[3]) > 5, line
        elif line != "# EOF":
            sample = re.match(r"[a-z_]+", line)
            assert sample, line
            rest = sample[0][len(name):]
            assert sample[0].startswith(name), line
            assert rest in {"counter": ("", "_total"), "gauge": ("",),
                            "histogram": ("_bucket", "_sum", "_count")}[
                                found[name]], line
            assert re.fullmatch(
                r'[a-z_]+(\{([a-z]+="[^"\\ ]*",?)+\})? [0-9.e+-]+', line), line
    return found


def test_both_forms_have_the_same(server: Server) -> None:
    server.client.post({"code": "1/0"})
    plain, opened = server.page("/metrics"), server.page("/metrics", **OPEN)
    assert opened.endswith("# EOF\n") and "# EOF" not in plain
    shape = families(opened)
    counters = {name for name, kind in shape.items() if kind == "counter"}
    assert not {name for name in shape if name.endswith("_total")}
    assert families(plain) == {
        name + ("_total" if name in counters else ""): kind
        for name, kind in shape.items()}


def promtool() -> str:
    """Debian 13 has a package of its own for it."""
    if found := shutil.which("promtool"):
        return found
    own = subprocess.run(["apt-cache", "show", "promtool"],
                         capture_output=True).returncode == 0
    return str(unpacked.program("promtool" if own else "prometheus",
                                "usr/bin/promtool"))


def test_promtool_finds_no_fault(server: Server) -> None:
    done = subprocess.run([promtool(), "check", "metrics"], text=True,
                          input=server.page("/metrics"), capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_promtool_reads_the_alerts() -> None:
    done = subprocess.run([promtool(), "check", "rules",
                           str(ROOT / "conf/alerts.yml")],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


HISTOGRAMS = ("queue_wait_seconds", "run_seconds", "request_seconds",
              "memory_peak_bytes")


def test_a_run_is_in_each_histogram(server: Server) -> None:
    labels = '{door="code-interpreter",outcome="raised"}'
    before = server.samples()
    names = {line.split('door="')[1].split('"')[0] for line in before
             if 'door="' in line}
    server.client.request("POST", "/execute", json.dumps(
        {"user_uuid": "w", "code": "import time; time.sleep(0.25); 1/0"}),
        {"Content-Type": "application/json"})

    def counted() -> bool:
        return len(new()) > 0

    def new() -> "set[str]":
        return {name for name in server.samples() if "_count{" in name} - {
            name for name in before}

    wait_until(counted, PATIENCE_S, "the run is counted")
    after = server.samples()
    fresh = sorted(new())
    assert len(fresh) == len(HISTOGRAMS), (fresh, names, labels)
    for name in HISTOGRAMS:
        assert any(line.startswith(f"terrarium_{name}_count{{")
                   for line in fresh), name
    series = next(line for line in fresh if "run_seconds" in line)
    inside = series.split("{")[1][:-1]
    buckets = [after[f'terrarium_run_seconds_bucket{{{inside},le="{bound}"}}']
               for bound in ("0.1", "0.2", "60", "+Inf")]
    assert buckets == [0, 0, 1, 1]
    assert after[f"terrarium_run_seconds_sum{{{inside}}}"] >= 0.25


def test_clients_are_counted_by_number(server: Server) -> None:
    """Any local user can read the page. The log has the names."""
    before = server.samples()['terrarium_client_runs_total{client="1"}']
    server.client.value("1")
    wait_until(lambda: server.samples()[
        'terrarium_client_runs_total{client="1"}'] > before, PATIENCE_S,
        "a run of the client")
    assert 'client="local"' not in server.page("/metrics")
    assert any("client in metrics: number=1 client=local" in line
               for line in server.log())


def test_a_refusal_and_a_slow_run_are_counted(server: Server) -> None:
    names = ('terrarium_client_errors_total{client="1"}',
             "terrarium_slow_runs_total")
    before = server.samples()
    server.client.post({"code": 1})
    server.client.value("import time; time.sleep(0.35)\n1")
    wait_until(lambda: all(server.samples()[name] == before[name] + 1
                           for name in names), PATIENCE_S, "both")


def test_the_version_is_there(server: Server) -> None:
    version = subprocess.run([DAEMON, "--version"], capture_output=True,
                             text=True).stdout.split()[1]
    assert server.samples()[
        f'terrarium_build_info{{version="{version}"}}'] == 1


def test_clients_can_be_named(place: Place) -> None:
    server = Server(place, "log.client_names=yes", WORKERS="2", ARMED="1")
    server.client.value("1")
    wait_until(lambda: server.samples().get(
        'terrarium_client_runs_total{client="local"}', 0) > 0, PATIENCE_S,
        "the client's name")


# ---- status ----------------------------------------------------------------

# Names of php-fpm's own page.
NAMES = ["start since", "accepted conn", "listen queue", "max listen queue",
         "listen queue len", "idle processes", "active processes",
         "total processes", "max active processes", "max children reached",
         "slow requests"]


def test_the_three_forms(server: Server) -> None:
    page = json.loads(server.page("/status"))
    text, full = server.page("/status?text"), server.page("/status?full")
    for name in NAMES:
        assert isinstance(page[name], int), name
        assert re.search(rf"^{name}:\s+\d+$", text, re.M), text
    assert page["listen queue len"] == 64
    assert "pid:" not in text and re.search(r"^pid:\s+\d+$", full, re.M)
    assert server.page("/status?anything")[0] == "{"


def test_a_full_pool_is_seen(place: Place) -> None:
    server = Server(place, "pool.client_percent=100", WORKERS="1", ARMED="1")
    before = json.loads(server.page("/status"))
    calls = [threading.Thread(target=server.client.value, args=(
        "import time; time.sleep(3)\n1",)) for _ in range(4)]
    for call in calls:
        call.start()
    wait_until(lambda: server.status.get()["max listen queue"] > 0,
               PATIENCE_S, "connections that wait")
    for call in calls:
        call.join()
    after = server.status.get()
    assert after["max children reached"] > before["max children reached"]
    assert after["max active processes"] == 1
    wait_until(lambda: server.status.get()["listen queue"] == 0, PATIENCE_S,
               "none waits")
