"""Reads programs/*.py, the hostile programs, and says how one ended.

The first line of each lists its allowed outcomes:

    # expect: ok|memory timeout_ms=2000 machine=x86_64

Any of the outcomes ok, error, crash, timeout, memory, output; then limits
that are sent along, and the one machine it makes sense on. The rest is the
program. Before it stand facts that it cannot know (numbers of system calls, words
to look for) and prelude.py. With that it prints its results, in lines that
begin with CONTAINED or ESCAPED.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "sandbox" / "walls" / "syscalls_table.h"
HEAD = re.compile(r"# expect: ([a-z|]+)((?: [a-z_]+=\w+)*)\n")
OUTCOMES = {"ok", "error", "crash", "timeout", "memory", "output"}
LIMITS = ("timeout_ms", "memory_mb")
# Newer than libseccomp knows; the same on every machine.
NEW_CALLS = {"cachestat": 451, "map_shadow_stack": 453, "futex_wake": 454,
             "futex_wait": 455, "futex_requeue": 456, "statmount": 457,
             "listmount": 458, "open_tree_attr": 467,
             "rseq_slice_yield": 471}
# Calls of x86-64 that the kernel answers without asking any filter.
UNFILTERED = {335, 336}
# error.type of a run that was ended, and its outcome; others are "error".
ENDED = {"timeout": "timeout", "memory": "memory", "MemoryError": "memory",
         "_ArrayMemoryError": "memory", "output": "output",
         "killed": "crash", "exited": "crash"}
CLASSES = {"A": "file system", "B": "processes, privileges",
           "C": "kernel surface", "D": "network, ipc",
           "E": "secrets, runner", "F": "result channel",
           "G": "output files", "H": "exhaustion", "I": "life cycle",
           "J": "values", "K": "between requests", "L": "choreographies"}


@dataclass
class Attack:
    name: str
    text: str
    outcomes: set[str]
    limits: dict[str, int] = field(default_factory=dict)
    machine: Optional[str] = None

    @property
    def kind(self) -> str:
        return self.name[0]

    def tells(self) -> bool:
        return re.search(r"\b(tell|refused|no_call)\(", self.text) is not None

    def request(self, secrets: list[bytes], marker: str) -> dict[str, Any]:
        """The fields to send. SECRETS are words to look for."""
        raised = [bytes((b + 1) & 255 for b in word) for word in secrets]
        head = [f"# {marker}", f"NUMBERS = {numbers(self.text)}",
                f"SECRETS = {raised}", f"HOST_NAME = {os.uname().nodename!r}"]
        if "ALLOWED" in self.text:
            head.append(f"ALLOWED = {allowed()}")
        prelude = (HERE / "prelude.py").read_text(encoding="utf-8")
        return {"code": "\n".join(head) + f"\n{prelude}\n\n{self.text}",
                **self.limits}


def _number(name: str) -> int:
    library = _libseccomp()
    number = library.seccomp_syscall_resolve_name(name.encode())
    return number if number >= 0 else NEW_CALLS.get(name, -1)


@lru_cache(maxsize=None)
def _libseccomp() -> ctypes.CDLL:
    return ctypes.CDLL("libseccomp.so.2")


def numbers(text: str) -> dict[str, int]:
    """Every quoted word that is the name of a system call here."""
    found = {word: _number(word)
             for word in set(re.findall(r'"([a-z][a-z0-9_]+)"', text))}
    return {name: number for name, number in found.items() if number >= 0}


def allowed() -> set[int]:
    """The numbers that the filter's table has a row for, and those that no
    filter is asked about."""
    text = TABLE.read_text(encoding="utf-8")
    rows = re.findall(r'\{"\w+", "(\w+)",', text)
    rows += re.findall(r'\{"(\w+)", 0,', text)  # answered 0, not refused
    found = {_number(name) for name in rows} - {-1}
    return found | (UNFILTERED if platform.machine() == "x86_64" else set())


def load() -> list[Attack]:
    out = []
    for path in sorted((HERE / "programs").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        head = HEAD.match(text)
        assert head, f"{path.name}: no `# expect:` line"
        options = dict(word.split("=") for word in head[2].split())
        outcomes = set(head[1].split("|"))
        assert outcomes <= OUTCOMES, f"{path.name}: {outcomes - OUTCOMES}"
        machine = options.pop("machine", None)
        assert set(options) <= set(LIMITS), f"{path.name}: {options}"
        out.append(Attack(path.stem, text, outcomes,
                          {name: int(value)
                           for name, value in options.items()}, machine))
    return out


def outcome(answer: dict[str, Any]) -> str:
    """One of OUTCOMES."""
    if answer["success"]:
        return "ok"
    return ENDED.get(answer["error"]["type"], "error")


def escapes(answer: dict[str, Any]) -> list[str]:
    """The program's own reports of an escape."""
    return [line for line in answer.get("std_out", "").split("\n")
            if line.startswith("ESCAPED")]


def part(name: str) -> str:
    """A program that a test sends or adds to."""
    path = HERE / "programs" / "parts" / f"{name}.py"
    return path.read_text(encoding="utf-8")
