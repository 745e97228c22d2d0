"""Tools of frameworks: static and class methods, and the names of a module
that travel with a function."""

from __future__ import annotations

import asyncio
import sys
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import toolbox
from odd_server import OK, odd_server
from terrarium import (NotSendable, ProgramRaised, Terrarium, ToolSandbox,
                       sandboxed)
from toolbox import Color, Line, Pair, Point, Row, Tools


@pytest.mark.parametrize("function, args, expected", [
    (Tools.area, [2], 20), (Tools().area, [2, 3], 6),
    (Tools.__dict__["area"], [2], 20),
    (Tools.uses_its_class, [2], "6 m 10"),
    (Tools.of_class, [2], [6, ["x", "y"], "2m", "Tools"]),
    (Tools().of_class, [1], [3, ["x", "y"], "1m", "Tools"]),
    (Tools.LIMIT, [], 10), (Tools.Inner.deep, [1], 2)],
    ids=lambda value: getattr(value, "__name__", None))
def test_static_and_class_methods(terrarium: Terrarium, function: Any,
                                  args: Any, expected: Any) -> None:
    assert terrarium.apply(function, args).value == expected


def test_a_class_that_is_used_whole_has_its_constants(
        terrarium: Terrarium) -> None:
    found = terrarium.call(Tools.all_of_it)
    assert {"rate", "names", "unit"} <= set(found)
    assert "hidden" not in found


def test_decorators_of_the_tool_stay_here(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.doubly, x=2) == 4
    assert terrarium.call(toolbox.words, text="x cat a CAT") == {
        "x": 1, "cat": 2}


def test_constants_travel(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.constants) == [
        10, {"a": 1, "b": [2, b"\0"]}, {1, 2}, (1, (2, 3)), Path("/tmp/x"),
        date(2024, 2, 29), timedelta(hours=1), Decimal("1.10"), None,
        frozenset({"the", "a"})]
    assert str(terrarium.call(toolbox.constants)[7]) == "1.10"


def test_imports_travel(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.imports, x=1.5) == [
        1, "a/b", '{"x": 1}', 1, "c", 5, 1, 5, "q"]


def test_helpers_travel_with_their_own_modules(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.two_modules) == [10, 99, "XX", "y", 99]
    assert terrarium.call(toolbox.even, n=7) is False


def test_decorated_helpers_keep_their_decorators(
        terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.uses_decorated, n=4) == [
        ["in", "3", "out"], [0, 1, 4, 9]]


def test_defaults_are_evaluated_there(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.with_default, x=1) == [11, Color.RED]


def test_each_call_has_globals_of_its_own(terrarium: Terrarium) -> None:
    for _ in range(2):
        assert terrarium.call(toolbox.remembers, key="k") == [{"k": 1}, 1]
    assert toolbox.count == 0 and toolbox.cache == {}


def test_a_constant_has_its_present_value(
        terrarium: Terrarium, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = sandboxed(terrarium)(toolbox.constants)
    assert remote()[0] == 10
    monkeypatch.setattr(toolbox, "LIMIT", 11)
    assert remote()[0] == 11


def test_classes_of_plain_data(terrarium: Terrarium) -> None:
    assert terrarium.call(toolbox.points, n=2) == [
        Point(0, 10, ["t"]), Point(1, 10, ["t"])]
    line = terrarium.call(toolbox.line_of, point=Point(3, 4))
    assert line == Line(Point(3, 4), Point(5), Color.GREEN)
    found = terrarium.call(toolbox.records)
    assert found == [Row("r", 0.5), Pair(1, 7), Pair(1, 2),
                     toolbox.Access.READ | toolbox.Access.WRITE, Color.GREEN]
    assert [type(one) for one in found] == [
        Row, Pair, Pair, toolbox.Access, Color]


def test_an_exception_of_the_module(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramRaised, match="^ToolError: no 1$") as caught:
        terrarium.call(toolbox.raises, x=1)
    assert caught.value.failure.type == "ToolError"


def test_a_traceback_names_the_helpers_files(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramRaised) as caught:
        terrarium.call(toolbox.raises, x=0)
    text = caught.value.traceback
    assert 'File "<exec>", line' in text
    assert 'File "toolbox.py", line' in text and "in fails_below" in text
    line = toolbox.helpers.divide.__code__.co_firstlineno + 1
    assert f'File "helpers.py", line {line}, in divide' in text
    assert "return a / b" in text and "<terrarium>" not in text


@pytest.mark.parametrize("function, words", [
    (toolbox.uses_lock, r"helper `LOCK` of module `toolbox`: is an object "
     r"with state, of type lock"),
    (toolbox.uses_stateful, r"helper `Stateful` of module `toolbox`: is a "
     r"class with state"),
    (toolbox.uses_module_whole, r"helper `helpers` of module `toolbox`: is a "
     r"module that is not installed"),
    (toolbox.uses_missing, "uses global names that do not exist: not_there"),
    (toolbox.uses_lambda, r"helper `small` .*: is a lambda"),
    (toolbox.uses_closure, r"helper `closed` .*: .* is a closure: it uses y"),
    (toolbox.uses_partial, r"helper `part` .*: is an object with state, of "
     "type partial"),
    (toolbox.uses_deep, r"helper `LOCK` of module `helpers`: is an object"),
    (toolbox.uses_wrapped, r"helper `calls_wrapped` .*: "),
    (toolbox.uses_file, r"helper `__file__` .*: describes this machine"),
    (Tools.uses_hidden, r"helper `Tools.hidden` .*: is an object with state"),
    (Tools.makes, r"Tools"),
    (Tools.uses_method, r"helper `Tools.method` .*: is a method"),
    (Tools.method, "Tools.method is a method, which needs an object"),
    (Tools().method, "Tools.method is a method of an object with state"),
    (Tools.__dict__["of_class"], "of_class is a classmethod without its"),
    (Tools, "Tools is a class")])
def test_the_refusal_names_the_helper(function: Any, words: str) -> None:
    with odd_server(lambda visit: visit.reply(OK)) as odd:
        with pytest.raises(NotSendable, match=words):
            Terrarium(odd.url).call(function)
        if words != "uses global names that do not exist: not_there":
            with pytest.raises(NotSendable, match=words):
                sandboxed(Terrarium(odd.url))(function)
        assert odd.connections == 0


def test_the_decorator_waits_for_later_names(terrarium: Terrarium) -> None:
    names: Any = sys.modules[__name__].__dict__
    names.pop("later_constant", None)

    @sandboxed(terrarium)
    def uses_later() -> Any:
        return later_constant  # noqa: F821

    with pytest.raises(NotSendable, match="later_constant"):
        uses_later()
    names["later_constant"] = 5
    assert uses_later() == 5


def test_the_decorator_on_a_method(terrarium: Terrarium) -> None:
    names: Any = sys.modules[__name__].__dict__

    class Holder:
        rate = 4

        @staticmethod
        @sandboxed(terrarium)
        def inner(x: int) -> int:
            return x * 2

        @sandboxed(terrarium)
        @staticmethod
        def outer(x: int) -> int:
            return x * 3

    assert Holder.inner(2) == 4 and Holder().outer(2) == 6
    names["Holder"] = Holder


def test_a_tool_of_a_framework(terrarium: Terrarium) -> None:
    tools = ToolSandbox(terrarium)
    assert tools.execute("area", Tools.area, {"width": 2}) == 20
    assert tools.execute("class", Tools.of_class, {"x": 1})[2] == "1m"
    with pytest.raises(RuntimeError, match="with state"):
        tools.execute("m", Tools().method, {})


def test_a_sandboxed_coroutine_with_helpers(terrarium: Terrarium) -> None:
    @sandboxed(terrarium)
    async def later(x: int) -> int:
        await asyncio.sleep(0)
        return toolbox.twice(x)
    assert asyncio.run(later(4)) == 8
