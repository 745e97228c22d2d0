"""Several pools in one file: each is a server of its own. nginx chooses one by
location, as the section Pools of docs/operations.md has it. Starts servers and
an nginx of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

import pytest
from client import Client
from conftest import has_ended, wait_until
from fastcgi_peer import FastCgiClient
from nginx_harness import NGINX
from own_server import DAEMON
from ports import free_ports
from test_two_servers import ROOT, below

SOURCE = Path(__file__).resolve().parents[3]
PATIENCE_S = 120.0
CONF = """\
[server]
socket = {0}/fastcgi.sock
status_socket = {0}/status.sock
socket_mode = 0666
[pool]
workers = 2
armed = 1
standby = no
[sessions]
max = 0
[guest]
preload = json
freeze = no
[walls]
cgroups = optional
landlock = optional
memory_percent = 40
cgroup_name = terrarium-{1}

[pool www]
guest.preload = json decimal
limits.memory_mb = 128

[pool batch]
server.listen = tcp://127.0.0.1:{1}
limits.memory_mb = 64
limits.timeout_ms = 60000
"""
WHICH = ("import sys\n"
         "from resource import getrlimit, RLIMIT_AS\n"
         "'decimal' in sys.modules")


class Server:
    """Two pools, each started as a service manager does, and one nginx."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_ports(2)
        self.conf = folder / "terrarium.conf"
        self.conf.write_text(CONF.format(folder, self.port[1]))
        self.pools: "dict[str, subprocess.Popen[bytes]]" = {}
        for name in ("www", "batch"):
            self.start(name)
        self.nginx = self.start_nginx()

    def start(self, name: str) -> None:
        with open(self.folder / f"{name}.log", "ab") as log:
            self.pools[name] = subprocess.Popen(
                [DAEMON, "-c", str(self.conf), "--pool", name], stderr=log)
        wait_until(lambda: self.serves(name), PATIENCE_S,
                   f"{name} does not serve: {self.log(name)}")

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def serves(self, name: str) -> bool:
        assert self.pools[name].poll() is None, self.log(name)
        try:
            return self.ask(name, "/health").status == 200
        except OSError:
            return False

    def ask(self, name: str, path: str):  # type: ignore[no-untyped-def]
        return FastCgiClient(str(self.folder / f"{name}-status.sock")) \
            .request("GET", path, timeout=10)

    def status(self, name: str) -> dict:
        return self.ask(name, "/status").json()

    def start_nginx(self) -> "subprocess.Popen[bytes]":
        text = (SOURCE / "docs" / "operations.md").read_text()
        found = re.search(r"^## Pools\n.*?^(    upstream www .*?^    }\n)\n",
                          text, re.S | re.M)
        assert found, "docs/operations.md has no example"
        example = re.sub("(?m)^    ", "", found[1])
        for old, new in (("/run/terrarium/", f"{self.folder}/"),
                         ("127.0.0.1:9000", f"127.0.0.1:{self.port[1]}"),
                         ("listen 127.0.0.1:8080",
                          f"listen 127.0.0.1:{self.port[0]}")):
            assert old in example, old
            example = example.replace(old, new)
        temporary = "".join(
            f"{x}_temp_path {self.folder}/{x};\n" for x in
            ("fastcgi", "proxy", "uwsgi", "scgi", "client_body"))
        user = "user root;\n" if ROOT else ""
        path = self.folder / "nginx.conf"
        path.write_text(f"{user}pid {self.folder}/nginx.pid;\nevents {{}}\n"
                        f"http {{ access_log off;\n{temporary}{example}}}\n")
        assert NGINX is not None
        nginx = subprocess.Popen([NGINX, "-e", f"{self.folder}/error.log",
                                  "-c", str(path), "-g", "daemon off;"])

        def listens() -> bool:
            assert nginx.poll() is None
            try:
                socket.create_connection(("127.0.0.1", self.port[0])).close()
                return True
            except ConnectionRefusedError:
                return False
        wait_until(listens, PATIENCE_S, "nginx does not listen")
        return nginx

    def run(self, location: str, code: str) -> dict:
        client = Client(f"http://127.0.0.1:{self.port[0]}")
        body = json.dumps({"code": code}).encode()
        reply = client.request("POST", location, body,
                               {"Content-Type": "application/json"})
        assert reply.status == 200, reply.body
        return dict(reply.json())

    def command(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([DAEMON, "-c", str(self.conf), *words],
                              capture_output=True, text=True,
                              timeout=PATIENCE_S)

    def stop(self) -> None:
        for process in (self.nginx, *self.pools.values()):
            process.terminate()
        for process in (self.nginx, *self.pools.values()):
            process.wait(60)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        found = Server(Path(folder))
        yield found
        found.stop()


def test_nginx_chooses_by_location(server: Server) -> None:
    """Each pool has its own preload and limits."""
    assert server.run("/", WHICH)["final_expression"] is True
    assert server.run("/batch/", WHICH)["final_expression"] is False
    large = "len(bytearray(100 << 20)) >> 20"
    assert server.run("/", large)["final_expression"] == 100
    assert server.run("/batch/", large)["error"]["type"] == "MemoryError"


def test_each_has_a_status_of_its_own(server: Server) -> None:
    for name, process in server.pools.items():
        status = server.status(name)
        assert status["master"] == process.pid
        assert status["state"] == "serving"
    assert server.ask("www", "/metrics").status == 200


def test_a_killed_master_leaves_the_other_serving(server: Server) -> None:
    """And a start, which a service manager does, mends the first."""
    killed = server.pools["www"]
    family = [process.pid for process in below(killed.pid)]
    generation = server.status("batch")["generation"]
    killed.send_signal(signal.SIGKILL)
    killed.wait(30)
    assert server.run("/batch/", "6 * 7")["final_expression"] == 42
    wait_until(lambda: all(has_ended(pid) for pid in family), PATIENCE_S,
               "processes of the killed pool live")
    server.start("www")
    assert server.run("/", "6 * 7")["final_expression"] == 42
    status = server.status("batch")
    assert status["generation"] == generation
    assert status["master"] == server.pools["batch"].pid


def test_one_is_reloaded(server: Server) -> None:
    before = server.status("www")["generation"]
    other = server.status("batch")["generation"]
    done = server.command("--pool", "www", "--reload")
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.startswith("pool www: reloaded: generation ")
    assert server.status("www")["generation"] > before
    assert server.status("batch")["generation"] == other


def test_the_check_names_clashes(server: Server, tmp_path: Path) -> None:
    said = server.command("-t").stdout
    assert "[pool www]" in said and "[pool batch]" in said, said
    assert "ok      pools           2, none of which has" in said, said
    conf = tmp_path / "clash.conf"
    conf.write_text(server.conf.read_text() +
                    "walls.cgroup_name = x\n\n[pool third]\n"
                    "walls.cgroup_name = x\n"
                    f"server.listen = 127.0.0.1:{server.port[1]}\n")
    said = subprocess.run([DAEMON, "-c", str(conf), "-t"], text=True,
                          capture_output=True, timeout=60).stdout
    assert "MISSING pools           batch and third need a different " \
        "walls.cgroup_name; batch and third need a different server.listen" \
        in said, said


def test_a_pool_must_be_chosen(server: Server) -> None:
    for words, text in (((), "choose by --pool one of: www, batch"),
                        (("--pool", "x"), "no such [pool NAME]; it has: www")):
        done = server.command(*words)
        assert done.returncode == 1 and text in done.stderr, done.stderr
