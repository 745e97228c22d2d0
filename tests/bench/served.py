"""Terrarium, and the floor, behind nginx; and the load that is put on them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import machine
from workloads import ONE, PRELOAD, Workload

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from client import Client  # noqa: E402
from own_server import Place, free_port  # noqa: E402

RATE = "1000000"        # requests a second of one client: never reached
TOKENS = 4              # nginx: 64 connections of one client at a time
SETTLE_S = 0.3
WORKERS = 8  # both as the configuration that is shipped has it
ARMED = 4


class Failed(Exception):
    """A sentence on a measurement that failed."""


class Behind:
    """Something behind an nginx of its own."""

    port: int
    cacert: str
    tokens: list[str]

    def pids(self) -> list[int]:
        raise NotImplementedError

    def client(self) -> Client:
        return Client(f"https://127.0.0.1:{self.port}", self.tokens[0],
                      self.cacert)


def nginx_pids(pid_file: Path) -> list[int]:
    master = int(pid_file.read_text())
    return [master, *machine.children(master)]


class Terrarium(Behind):
    """A server from this checkout. Its processor time is that of its standing
    processes and of all children that they have reaped."""

    def __init__(self, folder: Path, workers: int = WORKERS,
                 armed: int = ARMED, extra: str = "",
                 preload: str = PRELOAD) -> None:
        folder.mkdir()
        folder.chmod(0o755)
        self.place = Place(folder)
        self.armed = armed
        conf = ";".join(filter(None, (f"guest.preload={preload}",
                                      "log.level=warn", extra)))
        begun = time.monotonic()
        started = self.place("start", WORKERS=str(workers),
                             ARMED=str(armed), NGINX_RATE=RATE,
                             CONF_EXTRA=conf)
        if started.returncode != 0:
            raise Failed(f"the server did not start: {started.stderr}")
        self.start_s = time.monotonic() - begun
        given = self.place.assignments()
        self.port = self.place.port
        self.cacert = given["TERRARIUM_CACERT"]
        self.tokens = [given["TERRARIUM_TOKEN"]]
        self.status_client = Client(given["TERRARIUM_STATUS_URL"])
        self.add_tokens()
        self.wait_armed()

    def add_tokens(self) -> None:
        prefix = self.place.prefix
        for i in range(1, TOKENS):
            made = subprocess.run(
                [str(ROOT / "conf" / "add-token"), "-f",
                 str(prefix / "etc" / "tokens.map"), f"bench{i}"],
                check=True, capture_output=True, text=True)
            self.tokens.append(made.stdout.strip())
        subprocess.run(["kill", "-HUP",
                        (prefix / "nginx.pid").read_text().strip()],
                       check=True)
        time.sleep(1)  # for nginx's old workers to leave

    def status(self) -> dict[str, Any]:
        return self.status_client.request("GET", "/status").json()

    def wait_armed(self) -> None:
        end = time.monotonic() + 60
        while self.status()["pool"]["idle"] < self.armed:
            if time.monotonic() > end:
                raise Failed(f"{self.armed} workers do not stand armed")
            time.sleep(0.05)

    def pids(self) -> list[int]:
        said = self.status()
        return [*nginx_pids(self.place.prefix / "nginx.pid"), said["master"],
                *machine.children(said["master"]), said["fork_server"]]

    def held(self) -> dict[str, int]:
        """Memory of an armed worker and its guest, the median one's."""
        rows = []
        for worker in self.status()["workers"]:
            if worker["state"] != "idle":
                continue
            pids = [worker["pid"], *machine.descendants(worker["pid"]),
                    worker["guest"]]
            rows.append({
                "private_kb": sum(map(machine.private_kb, pids)),
                "written_kb": sum(map(machine.written_kb, pids)),
                "page_tables_kb": sum(machine.field_kb(pid, "VmPTE")
                                      for pid in pids)})
        rows.sort(key=lambda row: row["private_kb"])
        return rows[len(rows) // 2]

    def stop(self) -> None:
        self.place("stop")


class Floor(Behind):
    """A FastCGI program behind nginx, configured as Terrarium's own is: the
    same file with other sockets, ports and logs."""

    def __init__(self, model: Terrarium, command: list[str], socket: Path,
                 folder: Path) -> None:
        self.cacert, self.tokens = model.cacert, model.tokens
        self.port = free_port()
        folder.mkdir()
        (folder / "log").mkdir()
        (folder / "tmp").mkdir()
        folder.chmod(0o755)
        self.backend = subprocess.Popen(command)
        prefix = model.place.prefix
        given = model.place.assignments()
        status = given["TERRARIUM_STATUS_URL"].rsplit(":", 1)[1]
        text = (prefix / "nginx.conf").read_text()
        runtime = Path(text.split("server unix:", 1)[1].split(";")[0]).parent
        for old, new in (
                (f"{runtime}/fastcgi.sock", str(socket)),
                (f"{runtime}/", f"{folder}/tmp/"),
                (f"{prefix}/nginx.pid", f"{folder}/nginx.pid"),
                (f"{prefix}/log/", f"{folder}/log/"),
                (f"127.0.0.1:{model.port}", f"127.0.0.1:{self.port}"),
                (f"127.0.0.1:{status}", f"127.0.0.1:{self.port + 1}")):
            text = text.replace(old, new)
        (folder / "nginx.conf").write_text(text)
        self.nginx = subprocess.Popen(
            ["nginx", "-e", f"{folder}/log/error.log", "-c",
             f"{folder}/nginx.conf", "-g", "daemon off;"])
        self.pid_file = folder / "nginx.pid"
        try:
            self.wait()
        except Failed:
            self.stop()
            raise

    def wait(self) -> None:
        end = time.monotonic() + 10
        while True:
            try:
                if self.client().request("POST", "/", "x").status == 200:
                    return
            except OSError:
                pass
            if time.monotonic() > end or self.nginx.poll() is not None:
                raise Failed("the floor does not answer")
            time.sleep(0.1)

    def pids(self) -> list[int]:
        return [*nginx_pids(self.pid_file), self.backend.pid,
                *machine.children(self.backend.pid)]

    def stop(self) -> None:
        for child in (self.nginx, self.backend):
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def hello(model: Terrarium, out: Path, folder: Path) -> Floor:
    """The floor answers with the very bytes that `1+1` is answered with."""
    answer = folder.with_name(folder.name + ".answer")
    answer.write_bytes(model.client().request("POST", "/",
                                              ONE.body()).body)
    socket = folder.with_name(folder.name + ".sock")
    return Floor(model, [str(out / "hello"), str(socket), str(WORKERS),
                         str(answer)], socket, folder)


class Load:
    """The load generator, with its requests and expected answers in files."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        folder.mkdir()
        self.files: dict[str, list[str]] = {}

    def words(self, workload: Workload) -> list[str]:
        if workload.name not in self.files:
            words = []
            for i, data in enumerate([workload.body(),
                                      *workload.needles()]):
                path = self.folder / f"{workload.name}.{i}"
                path.write_bytes(data)
                words += ["-b" if i == 0 else "-E", str(path)]
            self.files[workload.name] = words
        return self.files[workload.name]

    def run(self, server: Behind, workload: Workload, conns: int,
            seconds: float, rate: float = 0) -> dict[str, Any]:
        """One measurement: the generator's figures, per-request processor
        time of SERVER, and nothing of the generator's own in it."""
        command = [str(self.program), "-p", str(server.port), "-k",
                   server.cacert, *self.words(workload), "-c", str(conns),
                   "-r", str(rate), "-s", str(seconds)]
        for token in server.tokens:
            command += ["-t", token]
        with subprocess.Popen(command, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as child:
            assert child.stdin and child.stdout
            if child.stdout.readline() != "ready\n":
                raise Failed("the load generator did not connect")
            time.sleep(SETTLE_S)
            meter = machine.Meter(server.pids())
            child.stdin.write("go\n")
            child.stdin.close()
            sample = json.loads(child.stdout.readline())
            time.sleep(SETTLE_S)  # until the workers that answered are reaped
            sample.update(per_request(meter.stop(), sample))
        return sample


def per_request(spent: dict[str, float],
                sample: dict[str, Any]) -> dict[str, float]:
    """Refusals are not free, but they are counted apart."""
    answers = max(1, sample["right"])
    return {"generator_cpu_s": sample["cpu_s"],
            "per_s": sample["right"] / max(sample["seconds"], 1e-9),
            "cpu_ms": spent["cpu_s"] * 1e3 / answers,
            "kernel_ms": spent["kernel_s"] * 1e3 / answers,
            "machine_busy": spent["busy_s"] / spent["wall_s"]}
