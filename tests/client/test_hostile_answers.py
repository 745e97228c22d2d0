"""Answers that a hostile program or server may have made: whatever they
hold, a caller sees a result or a TerrariumError."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import samples
import terrarium as module
from odd_server import OK, odd_server
from terrarium import (BadReturn, ProgramFailed, Result, Terrarium,
                       TerrariumError)

ROUNDS = 20000
FULL = {
    **OK, "final_expression": [1, "ä", {"$bytes": "eA=="}, None, -2.5e9],
    "output_files": [{"filename": "a/b", "b64_data": "eA=="}],
    "results": [{"image/png": "eA=="}], "truncated": {"std_out": 5},
    "usage": {"cpu_ms": 1, "memory_peak_kb": 2, "queue_ms": 3,
              "armed": True}}
FAILED = {
    **OK, "success": False, "error": {
        "type": "ValueError", "message": "Traceback (most recent call last):\n"
        '  File "<exec>", line 1, in f\n    f()\nValueError: x\n\n'
        "Code context:\n1: f()"}}
STREAM = [{"type": "stdout", "text": "x"}, {"type": "result", "png": "eA=="},
          {"type": "file", "filename": "f", "b64_data": "eA=="},
          {"type": "error", "name": "E", "value": "v", "traceback": "t"},
          {"type": "end", **FAILED}]
WORDS = [b"null", b"-1", b"1e400", b"[]", b"{}", b'"\\ud800"', b"true",
         b"\0", b"\xff", b"9" * 5000, b"[" * 2000, b'"', b"\\", b"\n", b""]


def spoiled(data: bytes, dice: random.Random) -> bytes:
    """DATA with a few places changed."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.choice((0, 1, 2, 8, 40)))
        data = data[:at] + dice.choice(WORDS) + data[end:]
    return data


def look_at(result: Result) -> None:
    """All that a caller may ask of a result."""
    for display in result.displays:
        for media in display.data:
            try:
                display.binary(media)
            except ValueError:
                pass
    try:
        result.check()
    except ProgramFailed as error:
        assert isinstance(error.exit_code, int)
        assert isinstance(error.traceback + error.failure.context +
                          str(error), str)


@pytest.mark.parametrize("answer", [FULL, FAILED], ids=["good", "failed"])
def test_spoiled_answers(answer: Any) -> None:
    dice = random.Random(1)
    data = json.dumps(answer, ensure_ascii=False).encode()
    read = 0
    for _ in range(ROUNDS):
        try:
            look_at(module._read_result(module._object(spoiled(data, dice))))
            read += 1
        except TerrariumError:
            pass
    assert 0 < read < ROUNDS


def test_spoiled_streams() -> None:
    dice = random.Random(2)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in STREAM)
    for _ in range(ROUNDS):
        lines = spoiled(data, dice).splitlines(keepends=True)
        try:
            for event in module._events(lines):
                if isinstance(event, module.End):
                    look_at(event.result)
        except TerrariumError:
            pass


def test_spoiled_return_values() -> None:
    dice = random.Random(3)
    data = json.dumps({"returned": [1, {"$bytes": "eA=="}, {
        "$object": {"$a": {"b": "c"}}}]}).encode()
    for _ in range(ROUNDS):
        text = spoiled(data, dice).decode("utf-8", "surrogateescape")
        try:
            module._returned(Result(True, text))
        except BadReturn:
            pass


@pytest.mark.parametrize("kind, message", [
    ("ValueError", '  File "<exec>", line ' + "9" * 5000 + ", in f\n    x\n"),
    ("ValueError", "\n\nCode context:\n" + "9" * 5000 + ": x"),
    ("SystemExit", "Traceback (most recent call last):\nSystemExit: "
     + "9" * 5000),
    ("exited", "status " + "9" * 5000), ("killed", "signal " + "9" * 5000),
    ("(", "Traceback (most recent call last):\n(: x"), ("", ""),
    ("\ud800", "\ud800"), ("a" * 65536 + "!", "a." * 32768)],
    ids=["line", "context", "exit", "status", "signal", "pattern", "empty",
         "surrogate", "long"])
def test_a_failure_that_lies(kind: str, message: str) -> None:
    answer = {**OK, "success": False,
              "error": {"type": kind, "message": message}}
    with odd_server(lambda visit: visit.reply(answer)) as odd:
        with pytest.raises(ProgramFailed) as caught:
            Terrarium(odd.url).call(samples.add, a=1)
    look_at(caught.value.result)
