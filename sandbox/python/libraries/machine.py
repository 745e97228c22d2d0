"""machine - psutil without /proc.

A guest sees nothing of the host, and has no /proc. Programs that use psutil to
watch their own memory and time find the guest itself in the few files of /proc
that psutil reads for that. Others are missing, as elsewhere.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt
from .job import Now

import io
import os
import resource
import threading
import time
from typing import Any, Callable

_KB = 1024
_UNLIMITED = 512 << 20      # bytes, where a guest has no limit of its own
_usage, _SELF = resource.getrusage, resource.RUSAGE_SELF
_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
_threads, _pid, _cpus = threading.active_count, os.getpid, os.cpu_count
_now, _Bytes, _Text = time.time, io.BytesIO, io.StringIO


def _total() -> int:
    return Now.job.memory_mb << 20 or _UNLIMITED


def _used() -> int:
    return min(_usage(_SELF).ru_maxrss * _KB, _total())


def _stat() -> str:
    rows = ["cpu", *(f"cpu{n}" for n in range(_cpus() or 1))]
    return "".join(row + 10 * " 0" + "\n" for row in rows) + \
        f"btime {int(_now())}\n"


def _meminfo() -> str:
    total, free = _total() // _KB, (_total() - _used()) // _KB
    return (f"MemTotal: {total} kB\nMemFree: {free} kB\n"
            f"MemAvailable: {free} kB\nBuffers: 0 kB\nCached: 0 kB\n"
            "Shmem: 0 kB\nActive: 0 kB\nInactive: 0 kB\nSlab: 0 kB\n"
            "SReclaimable: 0 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n")


def _own_stat() -> str:
    usage = _usage(_SELF)
    times = (int(usage.ru_utime * _TICKS), int(usage.ru_stime * _TICKS))
    return (f"{_pid()} (python3) R 0" + 9 * " 0" +
            " {} {} 0 0 20 0 ".format(*times) + f"{_threads()} 0 0" +
            31 * " 0" + "\n")


def _own_statm() -> str:
    return f"{_used() // _PAGE} " * 2 + "0 0 0 0 0\n"


def _own_status() -> str:
    return (f"Name: python3\nThreads:\t{_threads()}\n"
            f"Uid:\t{os.getuid()}\t{os.geteuid()}\t{os.geteuid()}\n"
            f"Gid:\t{os.getgid()}\t{os.getegid()}\t{os.getegid()}\n"
            "voluntary_ctxt_switches:\t0\nnonvoluntary_ctxt_switches:\t0\n")


_FILES: dict[str, Callable[[], str]] = {
    "stat": _stat, "meminfo": _meminfo, "self/stat": _own_stat,
    "self/statm": _own_statm, "self/status": _own_status,
    "self/cmdline": lambda: "python3\0", "vmstat": lambda: "pswpin 0\npswpout 0\n",
}


def _change(common: Any) -> None:
    def reading(old: Callable[..., Any], kind: Any) -> Callable[..., Any]:
        def read(name: str, *args: Any, **options: Any) -> Any:
            file = name.replace(f"/{_pid()}/", "/self/")
            made = _FILES.get(file[6:]) if file[:6] == "/proc/" else None
            if made is None:
                return old(name, *args, **options)
            return kind(made() if kind is _Text else made().encode())
        return read

    common.open_binary = reading(common.open_binary, _Bytes)
    common.open_text = reading(common.open_text, _Text)
    # the defaults of functions
    common.cat.__defaults__ = (common._DEFAULT, common.open_text)


def _change_linux(linux: Any) -> None:
    """The list of processes is a listing of /proc."""
    linux.pids = lambda: [_pid()]


adopt("psutil._common", _change)
adopt("psutil._pslinux", _change_linux)
