"""Values that cross by tags: there and back through a guest, and tags that a
hostile guest has made."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import subprocess
import sys
import time
import zoneinfo
from collections import OrderedDict, namedtuple
from datetime import date, datetime, timedelta, timezone
from datetime import time as clock
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import numpy
import pandas
import pytest
import terrarium as module
import toolbox
from odd_server import OK, odd_server
from terrarium import BadReturn, NotSendable, Repr, Terrarium
from toolbox import Color, Pair, Point, Row

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def shown(value: Any) -> Any:
    """A set's order depends on hashes and on the order in which it grew."""
    return sorted(map(repr, value)) if isinstance(value, (set, frozenset)) \
        else repr(value)


@pytest.mark.parametrize("value", [
    (1, (2, [3])), (), {1, 2}, set(), frozenset({b"x", (1, None)}), 1 + 2j,
    complex(0, math.inf), math.inf, -math.inf, Decimal("1.10"),
    Decimal("-1E+400"), Decimal("NaN"), Fraction(1, 3),
    Fraction(-2 ** 200, 3), datetime(2024, 2, 29, 1, 2, 3, 4),
    datetime(2024, 1, 1, tzinfo=timezone.utc),
    datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
    datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=1), date(1, 1, 1),
    clock(1, 2, 3, 4, fold=1), clock(1, tzinfo=timezone.utc),
    timedelta(-5, 3, 2), UUID(int=2 ** 127 + 1), Path("a/b"), Path("/x"),
    Color.RED, Color.GREEN, toolbox.Access.READ,
    toolbox.Access.READ | toolbox.Access.WRITE,
    Point(1), toolbox.Line(Point(1), None), Row("x", 1.5), Pair(1, (2,)),
    {1: "a", 2.5: "b", None: "c", (1, 2): "e", "s": "f",
     Color.RED: "g", date(2024, 1, 1): "h"}, {True: 1, False: 2},
    {"$tuple": [1]}, {"$set": (1,)}, [{"a": {1}}, (b"", {})]],
    ids=repr)
def test_there_and_back(terrarium: Terrarium, value: Any) -> None:
    there = terrarium.call(toolbox.same, x=value)
    assert shown(there) == shown(value) and type(there) is type(value)
    if value == value:
        assert there == value
    kind = type(value)
    assert terrarium.call(toolbox.kind_of, x=value) == kind.__name__


def test_a_time_zone_keeps_its_name(terrarium: Terrarium) -> None:
    value = datetime(2024, 7, 1, tzinfo=BERLIN)
    assert terrarium.call(toolbox.same, x=value).tzinfo.key == "Europe/Berlin"


def test_nan(terrarium: Terrarium) -> None:
    assert math.isnan(terrarium.call(toolbox.same, x=[math.nan])[0])


@pytest.mark.parametrize("value, arrives", [
    (bytearray(b"x"), b"x"), (memoryview(b"x"), b"x"),
    (OrderedDict(a=1), {"a": 1}), (PurePosixPath("q"), Path("q")),
    (enum.IntEnum("Here", "A").A, 1)], ids=repr)
def test_as_the_nearest_form(terrarium: Terrarium, value: Any,
                             arrives: Any) -> None:
    there = terrarium.call(toolbox.same, x=value)
    assert there == arrives


@pytest.mark.parametrize("value", [
    numpy.arange(6).reshape(2, 3), numpy.array(2.5), numpy.zeros((0, 3)),
    numpy.array([1.5, math.nan], "f4"), numpy.array([True, False]),
    numpy.array(["a", "bcd"]), numpy.array([b"a", b"b"]),
    numpy.array([1 + 2j]), numpy.array(["2024-01-02", "NaT"], "M8[s]"),
    numpy.array([1, 2], "m8[ms]"), numpy.arange(4, dtype=">i4")[::2],
    numpy.array([1, "a", None, {2}], "O")], ids=repr)
def test_arrays(terrarium: Terrarium, value: Any) -> None:
    there = terrarium.call(toolbox.same, x=value)
    assert isinstance(there, numpy.ndarray) and there.shape == value.shape
    assert there.dtype == value.dtype.newbyteorder("=")
    numpy.testing.assert_array_equal(there, value)
    there.flat[:0] = 0  # it can be written
    assert there.flags.writeable


@pytest.mark.parametrize("value", [
    numpy.float64(1.5), numpy.float32(0.1), numpy.int8(-3), numpy.bool_(True),
    numpy.str_("x"), numpy.datetime64("2024-01-01"), numpy.float64("inf")],
    ids=repr)
def test_scalars(terrarium: Terrarium, value: Any) -> None:
    there = terrarium.call(toolbox.same, x=value)
    assert there == value and type(there) is type(value)


def table() -> Any:
    return pandas.DataFrame({
        "n": [1, 2, 3], "x": [0.5, None, 2.0], "s": ["a", None, "c"],
        "t": pandas.to_datetime(["2024-01-01", None, "2024-01-03"]),
        "z": pandas.date_range("2024-01-01", periods=3, tz="Europe/Berlin"),
        "c": pandas.Categorical(["u", "v", "u"]),
        "i": pandas.array([1, None, 3], dtype="Int64"),
        "o": [Decimal("1.1"), (1, 2), {3}], "b": [True, False, True]},
        index=pandas.Index([5, 6, 7], name="id"))


def test_tables(terrarium: Terrarium) -> None:
    value = table()
    there = terrarium.call(toolbox.same, x=value)
    pandas.testing.assert_frame_equal(there, value)
    assert terrarium.call(toolbox.kind_of, x=value) == "DataFrame"
    grouped = pandas.DataFrame({"a": [1, 2]}, index=pandas.MultiIndex
                               .from_tuples([("x", 1), ("y", 2)],
                                            names=["p", None]))
    pandas.testing.assert_frame_equal(
        terrarium.call(toolbox.same, x=grouped), grouped)
    double = pandas.DataFrame([[1, 2.5]], columns=["a", "a"])
    pandas.testing.assert_frame_equal(
        terrarium.call(toolbox.same, x=double), double)
    many = pandas.DataFrame({"g": ["x"] * 500}, index=["k"] * 500)
    pandas.testing.assert_frame_equal(
        terrarium.call(toolbox.same, x=many), many)
    row = value["x"]
    pandas.testing.assert_series_equal(
        terrarium.call(toolbox.same, x=row), row)


def test_without_numpy_here_they_are_plain(settings: Any) -> None:
    """A program that never imported numpy or pandas gets lists and dicts, and
    imports nothing because an answer says so."""
    program = f"""
import sys
sys.path[:0] = [{str(Path(module.__file__).parent)!r}]
from terrarium import Terrarium
client = Terrarium({settings.url!r}, {settings.token!r},
                   ca_file={settings.cacert!r})
assert client.call('''
import numpy, pandas
def main():
    table = pandas.DataFrame({{"a": [1, 2]}})
    return [numpy.arange(2), numpy.float64(1.5), table, table["a"], pandas.NA]
''') == [[0, 1], 1.5, {{"index": [0, 1], "columns": ["a"], "data": [[1], [2]]}},
       {{"name": "a", "index": [0, 1], "data": [1, 2]}}, None]
assert "numpy" not in sys.modules and "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


# -- values without a form


class Odd:
    def __repr__(self) -> str:
        return "<odd>"


@pytest.mark.parametrize("value, words", [
    (Odd(), "argument x is of type Odd"), ([{"a": Odd()}],
     r"argument x\[0\]\['a'\] is of type Odd"), (len, "is of type builtin"),
    (Point, "is of type type"), ({Odd(): 1}, "a key of argument x is of type"),
    (numpy.zeros(2, [("a", "i4")]), "is an array of"),
    (numpy.ma.array([1, 2]), "is an array of"),
    (Point([Odd()]), r"argument x\.x\[0\] is of type Odd"),  # type: ignore
    (range(3), "is of type range"), (object(), "is of type object"),
    ("a\0", "NUL"), (Path("a\0"), "NUL"), ({"\ud800": 1}, "surrogate")],
    ids=lambda value: repr(value)[:30])
def test_an_argument_without_a_form(value: Any, words: str) -> None:
    with odd_server(lambda visit: visit.reply(OK)) as odd:
        with pytest.raises(NotSendable, match=words):
            Terrarium(odd.url).call(toolbox.same, x=value)
        assert odd.connections == 0


SOURCE = """
class Odd:
    def __repr__(self):
        return "<odd>"
def main(kind):
    return {"object": [1, Odd()], "key": {Odd(): 1}, "long": [range(3), Long()],
            "bad": Bad()}[kind]
class Long:
    def __repr__(self):
        return "x" * 10 ** 6
class Bad:
    def __repr__(self):
        raise ValueError("no repr")
"""


@pytest.mark.parametrize("kind, words", [
    ("object", r"the return value\[1\] is of type Odd"),
    ("key", "the return value has a key of type Odd"),
    ("long", r"the return value\[0\] is of type range")])
def test_a_return_value_without_a_form(terrarium: Terrarium, kind: str,
                                       words: str) -> None:
    with pytest.raises(BadReturn, match=words) as caught:
        terrarium.call(SOURCE, kind=kind)
    assert caught.value.result.success


def test_as_its_repr_if_that_is_asked_for(terrarium: Terrarium) -> None:
    def ask(kind: str) -> Any:
        return terrarium.apply(SOURCE, [kind], on_unknown="repr").value
    found = ask("object")
    assert found == [1, "<odd>"] and isinstance(found[1], Repr)
    assert isinstance(ask("key"), Repr)
    assert ask("long")[0] == "range(0, 3)" and len(ask("long")[1]) == 10000
    with pytest.raises(module.ProgramRaised, match="no repr"):
        ask("bad")
    with pytest.raises(ValueError, match="on_unknown"):
        terrarium.apply(SOURCE, ["object"], on_unknown="other")


# -- classes: only those that the caller named

Here = namedtuple("Here", "a b")


@dataclasses.dataclass
class Gadget:
    """A class of this program that no caller names."""

    x: Any = None
    made = 0

    def __post_init__(self) -> None:
        Gadget.made += 1


def answer(value: Any, **options: Any) -> Any:
    """A forged return value, as a caller of toolbox.same gets it."""
    with odd_server(lambda visit: visit.reply({
            **OK, "final_expression": json.dumps({"returned": value})})) as odd:
        return Terrarium(odd.url).apply(
            toolbox.same, options.pop("args", [1]), **options).value


NAME = Gadget.__module__


def test_a_class_that_was_not_named_is_a_dict() -> None:
    Gadget.made = 0
    given = {"$data": [NAME, "Gadget", {"x": 1}]}
    assert answer(given) == {"x": 1}
    assert answer({"$data": ["no_such_module", "X", {"x": 1}]}) == {"x": 1}
    assert "no_such_module" not in sys.modules
    assert answer({"$named": ["antigravity", "X", [["a", 1]]]}) == {"a": 1}
    assert answer({"$enum": ["this", "X", "A", 5]}) == 5
    assert "antigravity" not in sys.modules and "this" not in sys.modules
    assert answer({"$data": ["subprocess", "Popen", {"args": "id"}]}) == {
        "args": "id"}
    assert answer({"$data": ["builtins", "eval", {"x": "1"}]}) == {"x": "1"}
    assert Gadget.made == 0


def test_a_class_that_was_named_is_made() -> None:
    given = {"$data": [NAME, "Gadget", {"x": 1}]}
    assert answer(given, types=[Gadget]) == Gadget(1)
    assert answer(given, args=[Gadget()]) == Gadget(1)
    assert answer({"$data": [NAME, "Gadget", {"x": given}]},
                  types=[Gadget]) == Gadget(Gadget(1))


def test_a_class_of_an_annotation_is_named(terrarium: Terrarium) -> None:
    def made() -> "list[Gadget]":
        return [{"$": 1}]  # type: ignore[list-item]
    assert (NAME, "Gadget") in module._prepare(made).names.allowed().found
    allowed = module._prepare(toolbox.line_of).names.allowed().found
    assert {name for _, name in allowed} == {"Line", "Point", "Color"}


@pytest.mark.parametrize("forged", [
    {"$data": [NAME, "Gadget", {"y": 1}]}, {"$data": [NAME, "Gadget", 1]},
    {"$data": [NAME, "Gadget"]}, {"$data": [1, 2, {}]},
    {"$enum": ["toolbox", "Color", "__class__", 1]},
    {"$enum": ["toolbox", "Color", "BLUE", 1]},
    {"$enum": ["toolbox", "Color", None, 77]},
    {"$enum": ["toolbox", "Color", ["x"], 1]}, {"$named": ["a", "b", [[1]]]},
    {"$unknown": 1}, {"$pickle": "gASV"}, {"$pattern": ["a", 0]},
    {"$logger": "x"}, {"$tuple": 1}, {"$set": [[1]]}, {"$set": 5},
    {"$dict": [[1]]}, {"$dict": [[[], 1]]}, {"$float": "1"},
    {"$float": ["nan"]}, {"$complex": [1]}, {"$complex": ["1", 2]},
    {"$complex": [True, None]}, {"$decimal": "1_0"}, {"$decimal": "sNaN"},
    {"$decimal": 1.5}, {"$fraction": [1, 0]}, {"$fraction": ["1", "2"]},
    {"$fraction": [10 ** 20000, 3]}, {"$datetime": ["2024", 0, None]},
    {"$datetime": ["2024-01-01T00:00:00", 5, None]},
    {"$datetime": ["2024-01-01T00:00:00", 0, "../../etc/passwd"]},
    {"$datetime": ["2024-01-01T00:00:00", 0, "/etc/localtime"]},
    {"$datetime": ["2024-01-01T00:00:00", 0, "No/Such"]},
    {"$date": "x"}, {"$date": 20240101}, {"$time": "01:00"},
    {"$timedelta": [10 ** 30, 0, 0]}, {"$timedelta": [1.5, 0, 0]},
    {"$uuid": "zz"}, {"$path": "a\0b"}, {"$path": 1}, {"$repr": 1},
    {"$array": ["O", [2], [1]]}, {"$array": ["<i8", [2], "AAAA"]},
    {"$array": ["<i8", [-1], ""]}, {"$array": ["<i8", [True], "AAAAAAAAAAA="]},
    {"$array": ["<i8", [1 << 40], ""]},
    {"$array": ["|O8", [1], "AAAAAAAAAAA="]},
    {"$array": ["|V8", [1], "AAAAAAAAAAA="]}, {"$array": ["<U0", [9], ""]},
    {"$array": ["i4,i4", [1], "AAAAAAAAAAA="]},
    {"$array": ["<U1", [1], "/////w=="]}, {"$array": ["<i8", [0] * 33, ""]},
    {"$scalar": ["O", []]}, {"$scalar": ["<i8", ""]},
    {"$frame": [[["x"], "object", [["a"], None]], [], []]},
    {"$frame": [[[None], "object", [["a"], None]],
                [[None], "object", [[1, 2], None]],
                [["object", [1], None]]]},
    {"$series": [None, [[None], "evil", [[1], None]],
                 ["object", [1], None]]},
    {"$series": [None, [[None], "object", [[1], None]],
                 ["array", {"$array": ["<M8[ns]", [1], "AAAAAAAAAAA="]},
                  "dateutil/x"]]},
    {"$missing": "os"}, {"$missing": 1},
    {"a": 1, "$bytes": "eA=="}, {"$bytes": "eA==", "$set": []}],
    ids=lambda forged: json.dumps(forged)[:60])
def test_a_forged_tag(forged: Any) -> None:
    with pytest.raises(BadReturn):
        answer(forged, types=[Gadget, Color])


@pytest.mark.parametrize("forged", [
    {"$set": [n * ((1 << 61) - 1) for n in range(30000)]},
    {"$dict": [[n * ((1 << 61) - 1), 0] for n in range(30000)]},
    {"$frozenset": [{"$decimal": f"{n * ((1 << 61) - 1)}"}
                    for n in range(30000)]}],
    ids=["set", "dict", "decimals"])
def test_keys_of_one_hash_are_refused_at_once(forged: Any) -> None:
    """They would take this machine minutes."""
    begun = time.monotonic()
    with pytest.raises(BadReturn):
        answer(forged)
    assert time.monotonic() - begun < 20


def test_an_object_of_a_class_that_refuses() -> None:
    @dataclasses.dataclass
    class Strict:
        x: int

        def __post_init__(self) -> None:
            if not isinstance(self.x, int):
                raise RuntimeError("not an int")

    name = [NAME, Strict.__qualname__]
    assert answer({"$data": [*name, {"x": 1}]}, types=[Strict]) == Strict(1)
    with pytest.raises(BadReturn):
        answer({"$data": [*name, {"x": "1"}]}, types=[Strict])
