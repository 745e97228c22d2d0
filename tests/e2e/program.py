"""Reads the programs/*.py files: a request and its exact answer in each.

A program begins with comment lines: `# key: JSON`, carried on by `#    more`
(four blanks or more), and any prose between them. The whole file is sent, so
that lines are numbered as an editor numbers them; after a line `# cut` only
the rest is sent. Values are JSON, or bare text where JSON would be noise.

A field that a header does not mention must be absent: a program
without `stdout` printed nothing, one without `final` had no final value.

The request
    files-in    {"name": "text" or {"b64": "..."}}
    make        a function of makers.py that gives more of those
    stdin, arguments, args, env, timeout_ms, memory_mb, forms: as in the
                request
The answer
    expect      success or failure
    final       the final value; final-like: a pattern that its text (or its
                JSON, when it is no text) must match
    stdout, stderr; stdout-has, stderr-has: pieces; stdout-like,
    stderr-like: a pattern
    error       error.type
    exit-code   exit_code, or a list of them; by default 0 with success, 1 with
                failure
    line        the line of the program that the traceback ends in
    message-has, message-lacks: pieces of error.message
    told        pieces of it that stand neither in a line of code nor in the
                code context: the words of the exception and of its hint
    files-out   the exact set of output files; check: a function of makers.py
                that looks at them instead
    files-kinds {"name": "png"}: the exact set of output files by their
                kinds, which kinds.py knows
    results     one media type (fnmatch), or a list of them, for each value; the
                request asks for them if this is there
    truncated   exactly
    warnings    pieces, one of each warning in order
    needs       modules, font:LANGUAGE, python:VERSION, below:VERSION: without
                one of them the program is skipped; without: with one
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

PARTS = Path(__file__).resolve().parent / "programs" / "parts"
HEADER = re.compile(r"# ([a-z_-]+):(?: (.*))?$")
MORE = re.compile(r"#    +(.*)$")
CUT = "# cut\n"
BARE = {"expect", "error", "make", "check", "final-like", "stdout-like",
        "stderr-like",
        "needs", "without"}
KEYS = BARE | {
    "files-in", "stdin", "arguments", "args", "env", "timeout_ms", "memory_mb",
    "final", "stdout", "stderr", "stdout-has", "stderr-has", "line",
    "message-has", "message-lacks", "told", "files-out", "files-kinds",
    "results", "forms", "truncated", "warnings", "exit-code"}
SENT = ("stdin", "arguments", "args", "env", "timeout_ms", "memory_mb",
        "forms")


@dataclass
class Program:
    name: str
    code: str
    head: dict[str, Any] = field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        return key in self.head

    def get(self, key: str, default: Any = None) -> Any:
        return self.head.get(key, default)

    def pieces(self, key: str) -> list[str]:
        """A header that is one text or a list of them."""
        value = self.head.get(key, [])
        return [value] if isinstance(value, str) else value

    def fields(self) -> dict[str, Any]:
        """The optional fields of the request."""
        asks = {"results": True} if "results" in self.head else {}
        return {key: self.head[key] for key in SENT
                if key in self.head} | asks

    def contents(self, key: str) -> dict[str, bytes]:
        return {name: content(value)
                for name, value in self.head.get(key, {}).items()}


def content(value: Union[str, dict[str, str]]) -> bytes:
    """A file's bytes: text, or {"b64": ...}."""
    if isinstance(value, str):
        return value.encode("utf-8")
    return base64.b64decode(value["b64"], validate=True)


def _value(path: Path, key: str, text: str) -> Any:
    if key not in KEYS:
        raise ValueError(f"{path}: unknown header {key!r}")
    if key in BARE:
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path}: header {key!r}: {error}") from None


def load(path: Path) -> Program:
    source = path.read_text(encoding="utf-8", errors="strict")
    raw: dict[str, str] = {}
    last = ""
    for line in source.splitlines():
        more = MORE.match(line)
        found = HEADER.match(line)
        if more and last:
            raw[last] += " " + more[1]
        elif found:
            last = found[1]
            if last in raw:
                raise ValueError(f"{path}: header {last!r} comes twice")
            raw[last] = found[2] or ""
        elif line == CUT.rstrip() or not line.startswith("#"):
            break
    begin = source.find(CUT)
    code = source[begin + len(CUT):] if begin >= 0 else source
    head = {key: _value(path, key, text) for key, text in raw.items()}
    if head.get("expect") not in ("success", "failure"):
        raise ValueError(f"{path}: no `# expect: success` or failure")
    return Program(path.stem, code, head)


def load_all(folder: Path) -> list[Program]:
    """The programs of FOLDER, then those of the folders in it, which are
    called `folder/name`."""
    found = [load(path) for path in sorted(folder.glob("*.py"))]
    for path in sorted(folder.glob("*/*.py")):
        if path.parent != PARTS:
            found.append(load(path))
            found[-1].name = f"{path.parent.name}/{path.stem}"
    return found


def part(name: str) -> str:
    """A program that a test sends as it is, changes, or adds to."""
    return (PARTS / f"{name}.py").read_text(encoding="utf-8")
