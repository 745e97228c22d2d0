"""Answers that a hostile program or server may have made: whatever they
hold, a caller sees a result or a TerrariumError."""

from __future__ import annotations

import json
import random
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator
from uuid import UUID

import pytest
import samples
import terrarium as module
import toolbox
from odd_server import OK, odd_server
from terrarium import (BadReply, BadRequest, BadReturn, ProgramFailed, Result,
                       Terrarium, TerrariumError)

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
POINT = toolbox.Point(1, tags=["x"])
TAGGED_VALUE = [
    (1, {2}), frozenset({b"x"}), 1 + 2j, Decimal("1.5"), Fraction(1, 3),
    datetime(2024, 1, 1, tzinfo=timezone.utc), date(2024, 1, 1),
    timedelta(1), UUID(int=1), Path("x"), toolbox.Line(POINT),
    toolbox.Row("r"), {1: "a", None: float("inf")}]
TAGGED = module._Writer().write(TAGGED_VALUE, "x")
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
    assert isinstance(repr(result), str)
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
    plain = [1, {"$bytes": "eA=="}, {"$object": {"$a": {"b": "c"}}}]
    types = module._Types([toolbox.Line, toolbox.Row])
    for value in (plain, TAGGED):
        data = json.dumps({"returned": value}).encode()
        read = 0
        for _ in range(ROUNDS // 4):
            text = spoiled(data, dice).decode("utf-8", "surrogateescape")
            try:
                module._returned(Result(True, text), types)
                read += 1
            except BadReturn:
                pass
        assert 0 < read < ROUNDS // 4


def test_the_tagged_value_is_whole() -> None:
    found = module._returned(
        Result(True, json.dumps({"returned": TAGGED})),
        module._Types([toolbox.Line, toolbox.Row]))
    assert found == TAGGED_VALUE


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


LONG = b"9" * 5000


@pytest.fixture(autouse=True)
def limited_digits() -> Iterator[None]:
    """Python refuses to make digits of a LONG integer, unless a process has
    switched that off."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(before)


def test_a_long_integer_is_shown() -> None:
    answer = b'{"success":true,"final_expression":[%s]}' % LONG
    with odd_server(lambda visit: visit.reply(answer)) as odd:
        result = Terrarium(odd.url).run("1")
    assert result.value == [10 ** 5000 - 1]
    assert "value=[<int of 16610 bits>]" in repr(result)


@pytest.mark.parametrize("body", [
    b'{"success":true,"code_runtime":%s}', b'{"success":true,"usage":'
    b'{"cpu_ms":%s}}', b'{"success":true,"truncated":{"std_out":%s}}'],
    ids=["runtime", "usage", "truncated"])
def test_a_figure_that_is_too_large(body: bytes) -> None:
    with odd_server(lambda visit: visit.reply(body % LONG)) as odd:
        with pytest.raises(BadReply, match="is too large"):
            Terrarium(odd.url).run("1")


@pytest.mark.parametrize("body", [
    b'{"error":{"code":%s}}', b'{"id":%s}', b'{"detail":%s}',
    b'{"detail":[%s]}'], ids=["code", "id", "detail", "list"])
def test_a_refusal_with_a_long_integer(body: bytes) -> None:
    with odd_server(lambda visit: visit.reply(
            body % LONG, "400 Bad Request")) as odd:
        with pytest.raises(BadRequest, match="no reason is given") as caught:
            Terrarium(odd.url).run("1")
    assert (caught.value.code, caught.value.id) == ("", "")


@pytest.mark.parametrize("body", [
    b'{"version":"1","doors":{"a":[%s]}}', b'{"version":"1","limits":{"a":%s}}'
    ], ids=["doors", "limits"])
def test_what_a_server_offers_with_a_long_integer(body: bytes) -> None:
    with odd_server(lambda visit: visit.reply(body % LONG)) as odd:
        with pytest.raises(BadReply):
            Terrarium(odd.url).about()
