"""Guest programs as data: programs/*.py, each with its exact answer.

program.py says how such a file is written; here every header becomes a check.
Every answer is also held against the promises of all answers: the fields, their order, their types, valid pictures.
"""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import kinds
import makers
import program
import pytest
from client import Client, Reply
from program import Program

FOLDER = Path(__file__).resolve().parents[1] / "programs"
PROGRAMS = program.load_all(FOLDER)
# Programs about libraries: these are the same Python under a sanitizer and as
# another user, so one suite runs them.
LIBRARIES = {"audio", "charts", "dates", "documents", "geography", "images",
             "learning", "numerics", "optimisation", "statistics", "tables",
             "text", "web"}
if os.environ.get("AGAIN"):
    PROGRAMS = [one for one in PROGRAMS
                if one.name.partition("/")[0] not in LIBRARIES]

ORDER = ["output_files", "final_expression", "success", "error", "std_out",
         "std_err", "code_runtime", "results", "truncated", "usage",
         "exit_code", "warnings", "id"]
ALWAYS = {"success", "output_files", "std_out", "std_err", "code_runtime",
          "usage", "exit_code", "id"}
USAGE = {"cpu_ms": int, "memory_peak_kb": int, "queue_ms": int,
         "armed": bool}
MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
CONTEXT = 4  # lines shown above and below the failing one


def canonical(value: Any) -> str:
    """JSON text that tells 1 from 1.0 from true, and 0.0 from -0.0."""
    return json.dumps(value, sort_keys=True)


# -- promises of every answer


def check_shape(answer: dict[str, Any]) -> None:
    keys = list(answer)
    known = [key for key in ORDER if key in answer]
    if not answer["success"]:
        known.remove("error")
        known.insert(known.index("success") + 1, "error")
        assert list(answer["error"]) == ["type", "message"]
        assert "final_expression" not in answer
    assert keys == known, keys
    assert ALWAYS <= set(keys), ALWAYS - set(keys)
    assert ("error" in answer) != answer["success"]
    assert type(answer["code_runtime"]) is int
    assert answer["code_runtime"] >= 0
    usage = answer["usage"]
    assert {key: type(usage[key]) for key in USAGE} == USAGE, usage
    assert isinstance(answer["id"], str) and answer["id"]
    assert answer.get("results") != [], "no empty list of results"
    assert answer.get("warnings") != [], "no empty list of warnings"
    for item in answer.get("results", []):
        check_rich(item)


def check_rich(item: dict[str, Any]) -> None:
    for media, data in item.items():
        if media in MAGIC:
            raw = base64.b64decode(data, validate=True)
            assert raw.startswith(MAGIC[media]), media
        elif not media.endswith(("/json", "+json")):
            assert isinstance(data, str), media


def check_reply(reply: Reply) -> None:
    assert reply.header("Content-Type") == "application/json"
    assert reply.header("Content-Length") == str(len(reply.body))
    assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
    assert reply.header("X-Request-Id") == reply.json()["id"]


# -- promises of a program's headers


def check_final(one: Program, answer: dict[str, Any]) -> None:
    value = answer.get("final_expression")
    if "final-like" in one:
        text = value if isinstance(value, str) else json.dumps(value)
        assert re.search(one.get("final-like"), text, re.S), text[:500]
    elif "final" in one:
        assert "final_expression" in answer, "no final_expression"
        assert canonical(value) == canonical(one.get("final"))
    else:
        assert "final_expression" not in answer, value


def check_stream(one: Program, answer: dict[str, Any], field: str,
                 key: str) -> None:
    text = answer[field]
    for piece in one.pieces(key + "-has"):
        assert piece in text, text[-2000:]
    if key + "-like" in one:
        assert re.search(one.get(key + "-like"), text, re.S), text[-2000:]
    if not any(key + rest in one for rest in ("-has", "-like")):
        assert text == one.get(key, "")


def context(code: str, line: int) -> str:
    """The code context that a failure in LINE is shown with. The nothing
    after the last newline counts as a line."""
    lines = code.split("\n")
    first = max(1, line - CONTEXT)
    last = min(len(lines), line + CONTEXT)
    return "Code context:\n" + "\n".join(
        f"{n}: {lines[n - 1]}" for n in range(first, last + 1))


def told(message: str) -> str:
    """MESSAGE without the lines of code that it shows: those of the traceback
    are indented, those of the code context have a number."""
    return "\n".join(line for line in message.split("\n")
                     if not re.match(r"  |\d+: ", line))


def check_error(one: Program, answer: dict[str, Any]) -> None:
    error = answer.get("error")
    if error is None:
        return
    message = error["message"]
    assert error["type"] == one.get("error"), message[-2000:]
    for piece in one.pieces("message-has"):
        assert piece in message, message[-2000:]
    for piece in one.pieces("told"):
        assert piece in told(message), message[-2000:]
    for piece in one.pieces("message-lacks"):
        assert piece not in message, message[-2000:]
    if "line" in one:
        line = one.get("line")
        traceback, gap, shown = message.rpartition("\n\nCode context:")
        assert gap, message[-2000:]
        assert f'File "<exec>", line {line}' in traceback, traceback[-2000:]
        expected = context(one.code, line)
        assert (gap + shown).strip("\n") == expected


def check_files(one: Program, answer: dict[str, Any], reply: Reply) -> None:
    files = reply.files()
    if "check" in one:
        getattr(makers, one.get("check"))(files, answer)
    elif "files-kinds" in one:
        kinds.check(files, one.get("files-kinds"))
    else:
        assert files == one.contents("files-out")


def check_results(one: Program, answer: dict[str, Any]) -> None:
    wanted = one.get("results", [])
    results = answer.get("results", [])
    assert len(results) == len(wanted), [list(item) for item in results]
    for item, media in zip(results, wanted):
        missing = [one for one in
                   ([media] if isinstance(media, str) else media)
                   if not fnmatch.filter(item, one)]
        assert not missing, (missing, list(item))


def check_warnings(one: Program, answer: dict[str, Any]) -> None:
    wanted, found = one.pieces("warnings"), answer.get("warnings", [])
    assert len(found) == len(wanted), found
    for piece, sentence in zip(wanted, found):
        assert piece in sentence


def is_installed(name: str) -> bool:
    """Whether this machine has the module NAME; `font:ja` is a font for
    that language, `python:3.11` that Python or a later one, `below:3.12` an
    earlier one."""
    kind, _, what = name.rpartition(":")
    if kind in ("python", "below"):
        later = sys.version_info >= tuple(map(int, what.split(".")))
        return later == (kind == "python")
    if kind == "font":
        if shutil.which("fc-list") is None:
            # conf/packages has the one that is asked for here
            return os.path.isdir("/usr/share/fonts/truetype/wqy")
        return bool(subprocess.check_output(["fc-list", ":lang=" + what,
                                             "file"]))
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # the package of a module is missing
        return False


def check_answer(one: Program, reply: Reply) -> None:
    """Every header of ONE against its answer."""
    answer = reply.json()
    if (one.get("expect") == "success") != answer["success"]:
        pytest.fail(f"expected {one.get('expect')}: "
                    f"{answer.get('error', answer)}", pytrace=False)
    check_error(one, answer)
    check_final(one, answer)
    check_stream(one, answer, "std_out", "stdout")
    check_stream(one, answer, "std_err", "stderr")
    check_files(one, answer, reply)
    check_results(one, answer)
    wanted = one.get("exit-code", 0 if answer["success"] else 1)
    assert answer["exit_code"] in (
        wanted if isinstance(wanted, list) else [wanted])
    check_warnings(one, answer)
    assert canonical(answer.get("truncated")) == \
        canonical(one.get("truncated"))


@pytest.mark.parametrize("one", PROGRAMS, ids=lambda one: one.name)
def test_program(client: Client, one: Program) -> None:
    missing = [name for name in one.get("needs", "").split()
               if not is_installed(name)]
    if missing:
        pytest.skip("not installed: " + ", ".join(missing))
    present = [name for name in one.get("without", "").split()
               if is_installed(name)]
    if present:
        pytest.skip("installed: " + ", ".join(present))
    files = one.contents("files-in")
    if "make" in one:
        maker: Callable[[], dict[str, bytes]] = getattr(makers,
                                                        one.get("make"))
        files.update(maker())
    reply = client.run(one.code, files or None, **one.fields())
    check_reply(reply)
    check_shape(reply.json())
    check_answer(one, reply)


def test_there_are_many_programs() -> None:
    assert len(PROGRAMS) >= 60


# -- too large or too odd for a file of text


def test_megabytes_in_and_out(client: Client) -> None:
    """Fifty in, thirty out: limits.files_out_mb is 32."""
    data = os.urandom(1 << 20) * 50
    reply = client.run(
        "import hashlib\n"
        "data = open('in.bin', 'rb').read()\n"
        "open('sub.bin', 'wb').write(data[:-(31 << 20):-1]);\n"
        "hashlib.sha256(data).hexdigest()\n",
        {"in.bin": data}, timeout=120)
    answer = reply.json()
    assert answer["success"], answer["error"]
    assert answer["final_expression"] == hashlib.sha256(data).hexdigest()
    files = reply.files()
    assert set(files) == {"sub.bin"}
    assert hashlib.sha256(files["sub.bin"]).digest() == \
        hashlib.sha256(data[:-(31 << 20):-1]).digest()


ODD_SOURCES = {
    "carriage-return-newline": ("x = 1\r\nx + 1\r\n", 2),
    "bom": ("\ufeff1 + 1", 2),
    "form-feed": ("\f\n1 + 1", 2),
    "no-newline-at-end": ("1 + 1", 2),
    "blank-lines-after": ("1 + 1\n\n\n   \n", 2),
    "comment-after": ("1 + 1\n# done\n", 2),
    "coding-cookie": ("# -*- coding: latin-1 -*-\n'\u00e9'", "\u00e9"),
    "backslash-continued": ("1 + \\\n1", 2),
    "many-lines": ("x = 1\n" * 20000 + "x", 1),
    "long-line": ("x = '" + "a" * 1000000 + "'; len(x)", 1000000),
    "astral": ("'\U0001f600' * 2", "\U0001f600" * 2),
}


@pytest.mark.parametrize("name", ODD_SOURCES)
def test_odd_source(client: Client, name: str) -> None:
    code, value = ODD_SOURCES[name]
    assert client.value(code) == value


@pytest.mark.parametrize("code", ["(" * 300 + ")" * 300, "\x01", "1 +",
                                  "\u00a0x", "x = 1\n  y = 2", "0777"])
def test_source_that_does_not_compile(client: Client, code: str) -> None:
    answer = client.run(code).json()
    assert not answer["success"]
    assert answer["error"]["type"] in ("SyntaxError", "IndentationError",
                                       "NameError", "ValueError")
    assert client.value("1 + 1") == 2


@pytest.mark.parametrize("code", ["", "   ", "\n\t\n"])
def test_no_code(client: Client, code: str) -> None:
    answer = client.run(code).json()
    assert answer["success"] is False
    assert answer["error"] == {"type": "parsing", "code": "parsing",
                               "message": "no code provided"}


def test_only_comments_is_a_program(client: Client) -> None:
    answer = client.run("# nothing\n").json()
    assert answer["success"] and "final_expression" not in answer
