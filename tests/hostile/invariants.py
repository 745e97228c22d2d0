"""Invariants that hold after every program, seen from outside.

A Guard knows how the idle server looked at first; check() waits until it is
idle again and names, in words, each difference. Things that this process may
not look at, such as another user's descriptors, are passed over.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

from attack import part
from client import Client, Reply
from pace import SLOWER

# Its value holds everything that another program could have left behind, and
# nothing that differs from run to run.
PROBE = part("probe")
SETTLE_S = 20.0 * SLOWER
NEXT_S = 1.0 * SLOWER  # within which the next request must be answered
LOG_BYTES = 4096      # that one request may add to the logs
LOG_LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z (error|warn|info|debug) "
    r"terrarium [a-z-]+\[\d+\]: [ -~]*\Z|\{\"time\":[^\x00-\x1f]*\}\Z")
GROWTH_KB = 4096      # of the memory of those that stay
PER_WORKER = 2        # its guest (the fork server's child), the guest's init


def read(path: Path) -> Optional[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def listing(path: str) -> Optional[list[str]]:
    try:
        return sorted(os.listdir(path))
    except OSError:
        return None


def tree(top: str) -> list[str]:
    return sorted(os.path.join(where, name)
                  for where, folders, files in os.walk(top)
                  for name in folders + files)


def settings_of(path: Path) -> dict[str, str]:
    """section.option of a configuration file."""
    out, section = {}, ""
    for line in (read(path) or "").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            out[f"{section}.{name.strip()}"] = value.strip()
    return out


class Guard:
    """CLIENT and STATUS are conftest's; FAMILY gives the master's
    descendants, ORPHANS the server's processes without a parent."""

    def __init__(self, client: Client, status: Any, master: int,
                 family: Callable[[], list[Any]],
                 orphans: Callable[[], list[Any]],
                 secrets: list[bytes]) -> None:
        self.client, self.status, self.master = client, status, master
        self.family, self.orphans = family, orphans
        self.prefix = Path(os.environ.get("TERRARIUM_PID_FILE") or
                           "/nowhere/x").parent
        self.options = settings_of(self.prefix / "terrarium.conf")
        self.secrets = [word.decode() for word in secrets
                        if not word.startswith(b"query-")]
        self.clean: Any = self.ask()
        self.headers = self.names(self.client.run(PROBE))
        self.idle = int(self.options.get("pool.armed", 4))
        self.rest()
        self.first = {name: look(self) for name, look in LOOKS.items()}
        self.marks: dict[Path, int] = {}

    def rest(self) -> None:
        """Wait until all stand armed, and the ended ones are reaped."""
        end = time.monotonic() + SETTLE_S
        while True:
            pool = self.status.pool()
            if (pool["idle"], pool["arming"], pool["busy"]) == (
                    self.idle, 0, 0):
                break
            assert time.monotonic() < end, pool
            time.sleep(0.05)
        time.sleep(0.3)

    @staticmethod
    def names(reply: Reply) -> list[str]:
        return sorted(name.lower() for name, _ in reply.headers)

    def standing(self) -> dict[str, int]:
        """The processes that stay from request to request, by role."""
        said = self.status.get()
        return {"master": self.master, "pool": said["pool_pid"],
                "fork-server": said["fork_server"]}

    def ask(self) -> Any:
        reply = self.client.run(PROBE).json()
        assert reply["success"], reply["error"]
        return reply["final_expression"]

    # ---- before and after ------------------------------------------------

    def mark(self) -> None:
        """Remember how long the logs are."""
        for path in (self.prefix / "log").glob("*.log"):
            try:
                self.marks[path] = path.stat().st_size
            except OSError:
                pass

    def check(self, markers: list[str], requests: int) -> list[str]:
        """The differences. MARKERS are words that the programs held, REQUESTS
        is the number of requests since mark()."""
        trouble = list(self.check_next())
        late = time.monotonic() + SETTLE_S
        while True:
            left = list(self.check_looks())
            if not left or time.monotonic() > late:
                break
            time.sleep(0.02)
        # One more for check_next's own requests.
        return trouble + left + list(self.check_logs(markers, requests + 3))

    def check_next(self) -> Iterator[str]:
        """The next request, of another kind, right and soon."""
        times = []
        for _ in range(3):  # one slow answer may be the machine's fault
            begun = time.monotonic()
            found = self.ask()
            times.append(time.monotonic() - begun)
            if found != self.clean:
                changed = [key for key in self.clean
                           if found.get(key) != self.clean[key]]
                yield f"the next request finds another {changed}"
            if times[-1] < NEXT_S:
                return
        yield f"the next requests took {times} s"

    def check_looks(self) -> Iterator[str]:
        pool = self.status.get()
        if pool["pool"]["busy"] or pool["pool"]["idle"] != self.idle:
            yield f"the pool has not settled: {pool['pool']}"
        for name, look in LOOKS.items():
            now = look(self)
            if now is None or self.first[name] is None:
                continue
            bad = COMPARE.get(name, lambda a, b: a != b)(self.first[name],
                                                         now)
            if bad:
                yield f"{name}: {self.first[name]} became {now}"

    def check_logs(self, markers: list[str],
                   requests: int) -> Iterator[str]:
        for path, size in self.marks.items():
            try:
                with open(path, "rb") as file:
                    file.seek(size)
                    new = file.read()
            except OSError:
                continue
            text = new.decode("utf-8", "replace")
            if len(new) > LOG_BYTES + requests * 1024:
                yield f"{path.name} grew by {len(new)} bytes"
            for word in markers + self.secrets:
                if word in text:
                    yield f"{path.name} holds the word {word[:8]}..."
            yield from self.check_lines(path, text)

    @staticmethod
    def check_lines(path: Path, text: str) -> Iterator[str]:
        for line in text.split("\n")[:-1]:
            if path.name == "terrarium.log" and not LOG_LINE.match(line):
                yield f"{path.name}: a line of another form: {line[:80]!r}"
            if path.name == "access.log":
                try:
                    json.loads(line)
                except ValueError:
                    yield f"{path.name}: no JSON: {line[:80]!r}"

    # ---- the reply -------------------------------------------------------

    def check_reply(self, reply: Reply) -> Iterator[str]:
        """One line of valid JSON, as long as it says, and no other
        header than a harmless program's."""
        if reply.status != 200:
            yield f"status {reply.status}: {reply.body[:200]!r}"
        if reply.header("content-length") != str(len(reply.body)):
            yield f"Content-Length {reply.header('content-length')} for " \
                  f"{len(reply.body)} bytes"
        if self.names(reply) != self.headers:
            yield f"headers {self.names(reply)}"
        if reply.body.count(b"\n") != 1 or not reply.body.endswith(b"\n"):
            yield "the body is not one line"
        try:
            reply.json()
        except ValueError as error:
            yield f"no JSON: {error}"


# ---- observations; None when this process is not allowed ------------------


def idle_generations(family: list, said: dict, workers: set) -> set[int]:
    """The standby generation: a pool without a worker, and all below."""
    found = {p.pid for p in family if p.name == "pool" and
             p.parent == said["master"] and p.pid != said["pool_pid"]}
    found -= {p.parent for p in family if p.pid in workers}
    for _ in range(3):  # fork server, session fork server or write tracer
        found |= {p.pid for p in family if p.parent in found}
    return found


def look_strangers(guard: Guard) -> Optional[list[str]]:
    """Descendants that are neither pool, fork server, session fork server,
    status, queue, streams, worker, nor one of the two that each worker has,
    nor of the standby generation."""
    said = guard.status.get()
    workers = {worker["pid"] for worker in said["workers"]}
    owner = {w["guest"]: w["pid"] for w in said["workers"] if w["guest"]}
    known = workers | {said["pool_pid"], said["fork_server"], said["status"]}
    family = guard.family()
    known |= idle_generations(family, said, workers)
    strange, mine, session_forks = [], dict.fromkeys(workers, 0), 0
    for process in family:
        if process.pid in known or process.parent == said["master"] and \
                process.name in ("queue", "streams"):
            continue
        if process.parent in mine:
            mine[process.parent] += 1
        elif process.pid in owner and process.parent == said["fork_server"]:
            mine[owner[process.pid]] += 1
        elif (process.name, process.parent) == (
                "session-forks", said["fork_server"]):
            session_forks += 1
        else:
            strange.append(f"{process.name} of {process.parent}")
    if session_forks > 1:
        strange.append(f"{session_forks} session fork servers")
    return strange + [f"{count} of worker {pid}"
                      for pid, count in mine.items() if count != PER_WORKER]


def look_orphans(guard: Guard) -> list[int]:
    return sorted(process.pid for process in guard.orphans())


def look_mounts(guard: Guard) -> Optional[list[int]]:
    """How many there are, without the host's named network namespaces, which
    other tests make beside this one."""
    counts = []
    for pid in guard.standing().values():
        text = read(Path(f"/proc/{pid}/mountinfo"))
        counts.append(-1 if text is None else sum(
            not line.split()[4].startswith("/run/netns")
            for line in text.splitlines()))
    return counts


def look_files(guard: Guard) -> list[str]:
    """The server's own directories, without nginx's files in them."""
    folder = os.path.dirname(guard.options.get("server.socket", ""))
    found = listing(folder) or []
    cache = guard.options.get("server.cache_dir", "")
    return found + (tree(cache) if cache else []) + \
        [name for name in listing(str(guard.prefix)) or [] if name != "log"]


def look_cores(guard: Guard) -> list[str]:
    """Core files where processes of ours run, and anything in the places
    that all may write to, where a guest owns it."""
    out = []
    for pid in guard.standing().values():
        out += [name for name in listing(f"/proc/{pid}/cwd") or []
                if re.match(r"(vg)?core(\.|$)", name)]
    first = int(guard.options.get("walls.uid_base", "1900000000"))
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue"):
        for name in listing(folder) or []:
            try:
                owner = os.lstat(f"{folder}/{name}").st_uid
            except OSError:
                continue
            if first <= owner <= first + 513:
                out.append(f"{folder}/{name}")
    return out


def look_cgroups(guard: Guard) -> list[str]:
    """Those below ours; others' may vanish while one looks."""
    mine = "/" + guard.options.get("walls.cgroup_name", "terrarium") + "/"
    return sorted({path.split(mine, 1)[1]
                   for path, _, _ in os.walk("/sys/fs/cgroup")
                   if mine in path})


def look_ipc(guard: Guard) -> list[str]:
    """Lines of System V's objects and keys that a guest owns."""
    first = int(guard.options.get("walls.uid_base", "1900000000"))
    out = []
    for path in ("sysvipc/shm", "sysvipc/sem", "sysvipc/msg", "keys"):
        for line in (read(Path("/proc", path)) or "").splitlines():
            if any(word.isdigit() and first < int(word) <= first + 513
                   for word in line.split()):
                out.append(line)
    return out


def look_descriptors(guard: Guard) -> Optional[dict[str, int]]:
    out = {}
    for name, pid in guard.standing().items():
        found = listing(f"/proc/{pid}/fd")
        if found is None:
            return None
        out[name] = len(found)
    return out


def look_memory(guard: Guard) -> Optional[int]:
    total = 0
    for pid in guard.standing().values():
        found = re.search(r"RssAnon:\s*(\d+)",
                          read(Path(f"/proc/{pid}/status")) or "")
        total += int(found[1]) if found else 0
    return total


LOOKS: dict[str, Callable[[Guard], Any]] = {
    "processes": look_strangers, "orphans": look_orphans,
    "mounts": look_mounts, "files": look_files, "cores": look_cores,
    "cgroups": look_cgroups, "ipc": look_ipc,
    "descriptors": look_descriptors, "memory": look_memory}
# Only more is worse.
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "orphans": lambda before, now: bool(set(now) - set(before)),
    "files": lambda before, now: bool(set(now) - set(before)),
    "mounts": lambda before, now: any(b > a for a, b in zip(before, now)),
    "memory": lambda before, now: now > before + GROWTH_KB}
