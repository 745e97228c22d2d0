"""Several hosts on one machine: each has a network namespace, a server, and an
nginx of conf/nginx/host.conf.example. One nginx of cluster.conf.example is in
front of them, in the machine's own namespace.

Needs root. The networks are of TEST_NETS, which is for tests alone (RFC 2544).
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest
from client import JSON, Client, Reply
from conftest import Status, below, has_ended, wait_until
from fastcgi_peer import FastCgiClient, Peer, names, request
from nginx_harness import NGINX, SOURCE, Nginx
from own_server import Place

NAMES = ("host1", "host2", "host3")
PATIENCE_S = 60.0
TEST_NETS = ipaddress.ip_network("198.18.0.0/15")
MODULE = Path("/usr/lib/nginx/modules/ngx_stream_module.so")
PORTS = {"fastcgi": 9443, "status": 9444}
HOST_NGINX = """\
load_module %(module)s;
user root;
worker_processes 1;
daemon off;
pid %(folder)s/nginx.pid;
error_log %(folder)s/error.log;
events { }
"""


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def missing() -> str:
    """Why this machine cannot have hosts; empty: it can."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    for name in ("ip", "nsenter", "openssl"):
        if not shutil.which(name):
            return f"{name} is not installed"
    if not MODULE.exists():
        return "libnginx-mod-stream is not installed"
    probe = f"terrarium-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True,
                          text=True)
    if made.returncode != 0:
        return f"no network namespace: {made.stderr.strip()}"
    linked = subprocess.run(
        ["ip", "link", "add", f"trm{os.getpid()}p", "type", "veth", "peer",
         "name", "eth0", "netns", probe], capture_output=True, text=True)
    run("ip", "netns", "del", probe)
    return "" if linked.returncode == 0 else f"no veth: {linked.stderr}"


def make_certificates(folder: Path) -> None:
    """By the commands of docs/operations.md."""
    page = (SOURCE / "docs" / "operations.md").read_text(encoding="utf-8")
    block = re.search(r"^    openssl req -x509 .*terrarium cluster.*?(?=\n\S)",
                      page, re.M | re.S)
    assert block
    subprocess.run(["sh", "-e"], input=block[0], cwd=folder, check=True,
                   text=True, capture_output=True)


class Host:
    """One host. Its server may be reached by the sockets in the file system,
    which are of no network. Its programs can import `where`, with its NAME."""

    def __init__(self, name: str, folder: Path, certificates: Path) -> None:
        self.name, self.folder = name, folder / name
        self.certificates = certificates
        self.folder.mkdir(mode=0o755)
        self.place = Place(self.folder)
        self.place.env["WORKERS"] = "2"
        python = self.folder / "python"
        python.mkdir()
        (python / "where.py").write_text(f"NAME = {name!r}\n")
        self.place.env["CONF_EXTRA"] += \
            f";guest.python_path={python};limits.timeout_ms=90000"
        self.netns = f"terrarium-{self.place.port}"
        self.link = f"trm{self.place.port}"
        self.inside = ["nsenter", f"--net=/run/netns/{self.netns}"]
        self.place.command = self.inside + self.place.command
        self.nginx: Optional[subprocess.Popen[bytes]] = None
        # Two ends in a /30 of the host's own, as its port is its own.
        net = TEST_NETS[4 * self.place.port % TEST_NETS.num_addresses]
        self.front, self.address = str(net + 1), str(net + 2)

    def make_network(self) -> None:
        run("ip", "netns", "add", self.netns)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name",
            "eth0", "netns", self.netns)
        run("ip", "addr", "add", f"{self.front}/30", "dev", self.link)
        run("ip", "link", "set", self.link, "up")
        for words in (("addr", "add", f"{self.address}/30", "dev", "eth0"),
                      ("link", "set", "eth0", "up"),
                      ("link", "set", "lo", "up")):
            run("ip", "-n", self.netns, *words)

    def remove_network(self) -> None:
        # The namespace's end of the pair takes the other one with it.
        subprocess.run(["ip", "netns", "del", self.netns],
                       capture_output=True)

    # ---- the server and its nginx

    def up(self, extra: str = "") -> None:
        started = self.place("start", CONF_EXTRA=extra)
        assert started.returncode == 0, started.stderr
        self.start_nginx()

    def start_nginx(self, certificate: str = "") -> None:
        text = (SOURCE / "conf/nginx/host.conf.example").read_text()
        name = certificate or self.name
        folder = self.certificates
        for old, new in (
                ("/etc/terrarium/cluster/host.", f"{folder}/{name}."),
                ("/etc/terrarium/cluster/", f"{folder}/"),
                ("/run/terrarium/fastcgi.sock", self.socket("socket")),
                ("/run/terrarium/status.sock", self.socket("status_socket")),
                ("10.0.0.7", self.address), ("10.0.0.5", self.front)):
            assert old in text, old
            text = text.replace(old, new)
        conf = self.folder / "host.conf"
        conf.write_text(HOST_NGINX % {"module": MODULE,
                                      "folder": self.folder} + text)
        assert NGINX
        self.nginx = subprocess.Popen(
            [*self.inside, NGINX, "-e", str(self.folder / "error.log"), "-c",
             str(conf)])
        wait_until(self.listens, PATIENCE_S, "the host's nginx listens")

    def listens(self) -> bool:
        assert self.nginx and self.nginx.poll() is None
        return bool(below(self.nginx.pid)) and \
            f":{PORTS['status']} " in run(*self.inside, "ss", "-ltn")

    def stop_nginx(self, number: int = signal.SIGTERM) -> None:
        """The connections that it carries break."""
        if self.nginx and self.nginx.poll() is None:
            children = below(self.nginx.pid)
            self.nginx.send_signal(number)
            self.nginx.wait(PATIENCE_S)
            for one in children if number == signal.SIGKILL else []:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one.pid, number)

    def kill(self) -> None:
        """All at once, as by a fault of the kernel, and without a word to
        the front but the ends of its connections."""
        master = self.master()
        everyone = [master] + [one.pid for one in below(master)]
        self.stop_nginx(signal.SIGKILL)
        os.kill(master, signal.SIGKILL)
        wait_until(lambda: all(map(has_ended, everyone)), PATIENCE_S,
                   "its processes have ended")
        self.place("stop")

    def down(self) -> None:
        self.stop_nginx()
        self.place("stop")

    def socket(self, name: str) -> str:
        conf = (self.place.prefix / "terrarium.conf").read_text()
        found = re.search(rf"^{name} = (.*)$", conf, re.M)
        assert found
        return found[1]

    def master(self) -> int:
        return int((self.place.prefix / "terrariumd.pid").read_text())

    def status(self) -> Status:
        status = Status("http://localhost")
        status.client = FastCgiClient(self.socket("status_socket"))
        return status

    def waiting(self) -> int:
        """Connections that no worker has accepted yet."""
        lines = run(*self.inside, "ss", "-xlnH", "src",
                    self.socket("socket")).split()
        return int(lines[2])

    def ask(self, code: str, client: str) -> Peer:
        """A request that did not come through the front."""
        body = json.dumps({"code": code}).encode()
        peer = Peer(self.socket("socket"))
        assert peer.send(request(body, names(body, TERRARIUM_CLIENT=client)))
        return peer


class Front(Nginx):
    """nginx in front of HOSTS."""

    def __init__(self, folder: Path, hosts: list[Host],
                 certificates: Path) -> None:
        super().__init__(str(folder))
        self.hosts, self.certificates = hosts, certificates
        self.path_of_sockets = self.path("hosts")
        os.mkdir(self.path_of_sockets)

    def arrange(self, text: str) -> str:
        """The example TEXT, whose values are changed already, with the
        cluster's part, whose values are changed here."""
        more = (SOURCE / "conf/nginx/cluster.conf.example").read_text()
        changes = [("modules/ngx_stream_module.so", str(MODULE)),
                   ("/etc/terrarium/cluster/", f"{self.certificates}/"),
                   ("/run/terrarium-hosts/", f"{self.path_of_sockets}/")]
        changes += [(f"10.0.0.{7 + i}:", f"{host.address}:")
                    for i, host in enumerate(self.hosts)]
        for old, new in changes:
            assert old in more, old
            more = more.replace(old, new)
        paths = [self.path("example"), self.path("more")]
        for path, content in zip(paths, (text, more)):
            Path(path).write_text(content)
        return run(str(SOURCE / "conf/nginx-parts"), "--cluster", *paths)

    def client(self, name: str = "alice") -> Client:
        return Client(f"https://127.0.0.1:{self.port}", self.tokens[name],
                      str(self.certificate))

    def set_down(self, *names: str) -> None:
        """The line `down` behind these hosts, and behind no other."""
        conf = Path(self.path("nginx.conf"))
        text = conf.read_text().replace(" down;", ";")
        for name in names:
            text = re.sub(rf"(server unix:\S*/{name}(-status)?\.sock [^;]*);",
                          r"\1 down;", text)
        conf.write_text(text)
        self.reload()

    def tries(self, reply: Reply) -> list[str]:
        """The status of each host that was asked, 502 for none."""
        found = reply.header("X-Request-Id")
        assert found
        return str(self.logged(found)["worker_status"]).split(", ")


def served_by(hosts: list[Host], reply: Reply) -> list[str]:
    """The hosts whose log has the REPLY's id."""
    found = reply.header("X-Request-Id")
    assert found

    def those() -> list[str]:
        return [host.name for host in hosts if found in (
            host.place.prefix / "log/terrarium.log").read_text()]
    wait_until(lambda: bool(those()), PATIENCE_S, f"{found} is logged")
    return those()


def post(client: Client, code: str, key: str = "", **fields: Any) -> Reply:
    """POST / with the header Session-Key: KEY, if there is one."""
    headers = {**JSON, **({"Session-Key": key} if key else {})}
    return client.request("POST", "/", json.dumps({"code": code, **fields}),
                          headers, timeout=150)


def started(folder: Path) -> Iterator[tuple[Front, list[Host]]]:
    """The front and its hosts; all of it is removed at the end."""
    certificates = folder / "cluster"
    certificates.mkdir()
    make_certificates(certificates)
    hosts = [Host(name, folder, certificates) for name in NAMES]
    (folder / "front").mkdir()
    front = Front(folder / "front", hosts, certificates)
    try:
        for host in hosts:
            host.make_network()
            host.up()
        front.make_certificate()
        for name in ("alice", "bob"):
            front.add_token(name)
        front.start()
        yield front, hosts
    finally:
        front.stop()
        for host in hosts:
            host.down()
            host.remove_network()


needs_hosts = pytest.mark.skipif(bool(missing()), reason=missing() or "-")
