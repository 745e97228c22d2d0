"""How others run a stranger's program, each with its best settings.

A peer calls one workload at a time in each of its slots; closed_loop() calls
it from as many threads. It answers with the program's output, checked like
Terrarium's own answers.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import shutil
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

import machine
from workloads import IMPORTS, ONE, WORKLOADS, Workload

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
MEMORY = 4 << 30        # bytes of address space, as the subprocess peer limits
CALL_S = 120.0          # no call takes longer
CACHE = tempfile.mkdtemp(prefix="terrarium-bench-cache.")  # list of fonts
CALM = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg", "MPLCONFIGDIR": CACHE, "HOME": "/tmp",
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # jupyter_client's too
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)


def install(*packages: str) -> Optional[str]:
    """Why these cannot be had; None when they are there."""
    done = subprocess.run([str(ROOT / "tools" / "install-packages"),
                           *packages], capture_output=True, text=True)
    words = (done.stderr or done.stdout).strip().splitlines()
    return None if done.returncode == 0 else words[-1] if words else "?"


class Peer:
    """One way. NAME is for the table; SAME says which imports it makes."""

    name = ""
    title = ""
    workloads: list[Workload] = WORKLOADS
    cold = False        # a first call is as good as any

    def install(self, out: Path) -> Optional[str]:
        """Why it is missing, or None."""

    def open(self, slots: int, workload: Workload) -> None:
        """Be ready for calls in so many slots; not measured."""

    def call(self, slot: int, workload: Workload, folder: str) -> str:
        """Run it in FOLDER, which has its input files; its output."""
        raise NotImplementedError

    def standing(self) -> list[int]:
        """The process of each slot that waits for calls."""
        return []

    def close(self) -> None:
        """Leave nothing behind."""


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Subprocess(Peer):
    """python3 with a limit on its memory, as simple servers do it."""

    name = "python3"
    title = "python3, a process a call"
    same = False

    def imports(self, workload: Workload) -> str:
        return IMPORTS if self.same else workload.imports

    def command(self, folder: str) -> list[str]:
        return [PYTHON, "-c"]

    def call(self, slot: int, workload: Workload, folder: str) -> str:
        done = subprocess.run(
            [*self.command(folder),
             workload.printing(self.imports(workload))],
            cwd=folder, env=CALM, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=CALL_S,
            preexec_fn=limit_memory)
        if done.returncode != 0:
            raise ValueError(done.stderr[-200:])
        return done.stdout


class SubprocessSame(Subprocess):
    name = "python3+"
    title = "python3, a process a call, with Terrarium's imports"
    workloads = [ONE]
    same = cold = True


class Bubblewrap(Subprocess):
    name = "bwrap"
    title = "bubblewrap + python3"

    def install(self, out: Path) -> Optional[str]:
        return install("bubblewrap") or self.refused()

    def refused(self) -> Optional[str]:
        done = subprocess.run([*self.command("/tmp"), "1"], env=CALM,
                              capture_output=True, text=True)
        return None if done.returncode == 0 else done.stderr.strip()

    def command(self, folder: str) -> list[str]:
        return ["bwrap", "--unshare-all", "--die-with-parent",
                "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
                "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin",
                "/bin", "--ro-bind", "/etc/alternatives",
                "/etc/alternatives", "--ro-bind-try", "/etc/fonts",
                "/etc/fonts", "--ro-bind-try", "/etc/matplotlibrc",
                "/etc/matplotlibrc", "--proc", "/proc", "--dev", "/dev",
                "--tmpfs", "/tmp", "--ro-bind", CACHE, CACHE, "--bind", folder, "/home", "--chdir",
                "/home", PYTHON, "-c"]


class BubblewrapSame(Bubblewrap):
    name = "bwrap+"
    title = "bubblewrap + python3, with Terrarium's imports"
    workloads = [ONE]
    same = cold = True


class Kernel:
    """One ipykernel, spoken to by its own protocol, always from the same
    thread: the client library keeps an event loop for each."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)
        self.thread.submit(self._start).result()

    def _start(self) -> None:
        from jupyter_client.manager import KernelManager
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(env=CALM, cwd="/tmp",
                                  stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=CALL_S)

    def pid(self) -> int:
        return self.manager.provisioner.pid

    def run(self, code: str) -> str:
        """The output of CODE."""
        return self.thread.submit(self._run, code).result()

    def _run(self, code: str) -> str:
        out: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            if message["msg_type"] == "stream":
                out.append(message["content"]["text"])

        reply = self.client.execute_interactive(
            code, timeout=CALL_S, output_hook=hear)
        if reply["content"]["status"] != "ok":
            raise ValueError(str(reply["content"].get("evalue"))[:200])
        return "".join(out)

    def restart(self) -> None:
        self.thread.submit(self._restart).result()

    def _restart(self) -> None:
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=CALL_S)

    def stop(self) -> None:
        self.thread.submit(self._stop).result()
        self.thread.shutdown()

    def _stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


class KernelKept(Peer):
    """Warm; each call sees the traces of the last one."""

    name = "ipykernel"
    title = "ipykernel, kept (calls share it)"
    restart = False

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []

    def install(self, out: Path) -> Optional[str]:
        return install("python3-ipykernel")

    def open(self, slots: int, workload: Workload) -> None:
        while len(self.kernels) < slots:
            self.kernels.append(Kernel())
        if not self.restart:
            for kernel in self.kernels:
                kernel.run(IMPORTS)

    def call(self, slot: int, workload: Workload, folder: str) -> str:
        kernel = self.kernels[slot]
        imports = ""
        if self.restart:
            kernel.restart()
            imports = IMPORTS
        return kernel.run(f"import os\nos.chdir({folder!r})\n" +
                          workload.printing(imports))

    def standing(self) -> list[int]:
        return [kernel.pid() for kernel in self.kernels]

    def close(self) -> None:
        while self.kernels:
            self.kernels.pop().stop()


class KernelRestarted(KernelKept):
    """The work for calls that share nothing."""

    name = "ipykernel+"
    title = "ipykernel, restarted for each call, with Terrarium's imports"
    workloads = [ONE]
    restart = cold = True


class Pyodide(Peer):
    """CPython for WebAssembly, loaded anew for each call. No packages."""

    name = "pyodide"
    title = "Pyodide in node, reloaded for each call"
    workloads = [ONE]
    cold = True

    def __init__(self) -> None:
        self.nodes: list[subprocess.Popen] = []
        self.folder = Path()

    def install(self, out: Path) -> Optional[str]:
        why = None
        if not shutil.which("node") or not shutil.which("npm"):
            why = install("nodejs", "npm")
        if why:
            return why
        self.folder = out / "npm"
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / "node_modules" / "pyodide").exists():
            return None
        done = subprocess.run(
            ["npm", "install", "--no-fund", "--no-audit", "--prefix", ".",
             "pyodide"], cwd=self.folder, capture_output=True, text=True)
        return None if done.returncode == 0 else \
            f"npm: {done.stderr.strip()[-200:]}"

    def open(self, slots: int, workload: Workload) -> None:
        while len(self.nodes) < slots:
            self.nodes.append(subprocess.Popen(
                ["node", str(HERE / "pyodide.mjs"),
                 str(self.folder / "node_modules" / "pyodide" /
                     "pyodide.mjs")],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))

    def call(self, slot: int, workload: Workload, folder: str) -> str:
        node = self.nodes[slot]
        assert node.stdin and node.stdout
        node.stdin.write(json.dumps(workload.program()) + "\n")
        node.stdin.flush()
        return json.loads(node.stdout.readline())

    def standing(self) -> list[int]:
        return [node.pid for node in self.nodes]

    def close(self) -> None:
        while self.nodes:
            node = self.nodes.pop()
            assert node.stdin
            node.stdin.close()
            node.wait(10)


PEERS = [Subprocess, SubprocessSame, Bubblewrap, BubblewrapSame, KernelKept,
         KernelRestarted, Pyodide]


# -- calling them


class Tally:
    """The results of one measurement's threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seconds: list[float] = []
        self.failed = 0
        self.why = ""

    def add(self, seconds: float) -> None:
        with self.lock:
            self.seconds.append(seconds)

    def fail(self, error: Exception) -> None:
        with self.lock:
            self.failed += 1
            self.why = self.why or f"{type(error).__name__}: {error}"[:200]


def one_call(peer: Peer, slot: int, workload: Workload,
             tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workload.put_files(folder)
        begun = time.monotonic()
        try:
            printed = peer.call(slot, workload, folder)
            took = time.monotonic() - begun
            workload.check(printed, folder)
            tally.add(took)
        except (ValueError, OSError, subprocess.SubprocessError,
                TimeoutError, RuntimeError) as error:
            tally.fail(error)


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[int((len(ordered) - 1) * part + 0.5)]


def closed_loop(peer: Peer, workload: Workload, slots: int, seconds: float,
                least: int) -> dict[str, Any]:
    """Call it from SLOTS threads for SECONDS, LEAST times each at least."""
    tally = Tally()
    peer.open(slots, workload)
    for slot in range(0 if peer.cold else slots):
        one_call(peer, slot, workload, Tally())
    cpu, begun = machine.below_us_s(), time.monotonic()

    def caller(slot: int) -> None:
        for i in range(1 << 30):
            if i >= least and time.monotonic() - begun > seconds:
                return
            one_call(peer, slot, workload, tally)

    with machine.adopting():
        with ThreadPoolExecutor(slots) as pool:
            list(pool.map(caller, range(slots)))
        wall = time.monotonic() - begun
        machine.reap()
    cpu = machine.below_us_s() - cpu
    standing = peer.standing()
    times = tally.seconds or [0.0]
    return {"right": len(tally.seconds), "failed": tally.failed,
            "why": tally.why, "refused": 0, "seconds": wall,
            "per_s": len(tally.seconds) / wall,
            "right_p50_ms": percentile(times, 0.5) * 1e3,
            "right_p95_ms": percentile(times, 0.95) * 1e3,
            "right_p99_ms": percentile(times, 0.99) * 1e3,
            "cpu_ms": cpu * 1e3 / max(1, len(tally.seconds)),
            "private_kb": max(map(machine.private_kb, standing), default=0),
            "written_kb": max(map(machine.written_kb, standing), default=0)}


# -- a warm process without walls: the cost of the work itself


class Warm:
    """python3 with Terrarium's imports and warm-up, which then waits for one
    program; its first call is timed, by its own clock."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [PYTHON, str(HERE / "warm.py")], cwd="/tmp", env=CALM,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        if self.process.stdout.readline() != "ready\n":
            raise OSError("the warm process did not start")

    def run(self, workload: Workload, forked: bool) -> float:
        """Milliseconds of its first call."""
        with tempfile.TemporaryDirectory() as folder:
            workload.put_files(folder)
            out, _ = self.process.communicate(
                json.dumps({"folder": folder, "code": workload.timed(),
                            "forked": forked}), timeout=CALL_S)
        return json.loads(out) / 1e6


def warm_sample(workload: Workload, count: int,
                forked: bool = False) -> dict[str, Any]:
    """The median of COUNT such processes."""
    return {"own_ms": percentile([Warm().run(workload, forked)
                                  for _ in range(count)], 0.5)}
