"""Functions that run on the server, and those that cannot."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
from typing import Any

import pytest
import samples
from odd_server import OK, Visit, odd_server
from terrarium import (BadReturn, NotSendable, ProgramRaised, ProgramTimedOut,
                       Terrarium, sandboxed)


@pytest.mark.parametrize("function, args, kwargs, expected", [
    (samples.add, [1], {}, 3), (samples.add, [1], {"b": 5}, 6),
    (samples.everything, [1, 2, 3, 4], {"c": 5, "d": 6},
     [1, 2, (3, 4), 5, {"d": 6}]),
    (samples.annotated, [[1]], {}, [[1], 1]),
    (samples.documented, ["x"], {}, "\n  kept as it is\nx"),
    (samples.importing, [[1, 2, 6]], {}, 3),
    (samples.main, [], {"n": 30}, 265252859812191058636308480000000),
    (samples.recursive, [2], {}, ["end", "of a class", [0, 1]]),
    (samples.makes_its_own, [1], {}, 2), (samples.prints, [1], {}, None),
    (samples.uses_setting, [1], {}, 6), (samples.uses_module, [[1]], {}, "[1]"),
    (samples.wrapped, [3], {}, 3), (samples.Holder.static, [4], {}, 4),
    (samples.Holder.of_class, [5], {}, 5),
    (samples.uses_both, [6], {}, [6, 6]),
    (samples.later, [21], {}, 42), (samples.make_free(), [0], {}, "no")])
def test_a_function_runs_there(terrarium: Terrarium, function: Any,
                               args: Any, kwargs: Any,
                               expected: Any) -> None:
    assert terrarium.apply(function, args, kwargs).value == expected
    if not args:
        assert terrarium.call(function, **kwargs) == expected


@pytest.mark.parametrize("value, kind", [
    (None, "NoneType"), (True, "bool"), (2 ** 70, "int"), (-1.5, "float"),
    ("ü\U0001f331\n", "str"), (b"", "bytes"), (bytes(range(256)), "bytes"),
    ([1, [b"x"]], "list"), ({}, "dict"), ({"a": {"b": b"c"}}, "dict"),
    ({"$bytes": "eA=="}, "dict"), ({"$object": {"$bytes": b"x"}}, "dict"),
    ({"$": [{"$x": 1}], "y": b""}, "dict"), ({"$object": 1}, "dict")])
def test_values_cross_as_they_are(terrarium: Terrarium, value: Any,
                                  kind: str) -> None:
    there = terrarium.call(samples.same, x=value)
    assert there == value and type(there) is type(value)
    assert terrarium.call(samples.shape, x=value) == kind


def test_other_buffers_and_tuples(terrarium: Terrarium) -> None:
    assert terrarium.call(samples.same, x=bytearray(b"x")) == b"x"
    assert terrarium.call(samples.same, x=(1, (2,))) == (1, (2,))


def test_source_text(terrarium: Terrarium) -> None:
    code = "K = 2\nasync def main(a, b=b''):\n    return [a * K, b]"
    assert terrarium.call(code, a=3, b=b"\xff") == [6, b"\xff"]
    assert terrarium.call("\n   def main():\n      return 2\n") == 2
    assert terrarium.call("def main(): return 1\n# \\") == 1
    with pytest.raises(ProgramRaised, match="'main' is not defined"):
        terrarium.call("x = 1")
    with pytest.raises(ProgramRaised, match="SyntaxError"):
        terrarium.call("def main(:")


def test_what_is_printed_and_left_is_in_the_result(
        terrarium: Terrarium) -> None:
    called = terrarium.apply(samples.prints, ["x"])
    assert called.value is None and called.result.stdout == "said x\n"
    assert called.result.files == {"left": b"file"}


def test_options_of_a_call(terrarium: Terrarium) -> None:
    code = "def main(): return [open('f').read(), input(), " \
        "__import__('os').environ['E']]"
    assert terrarium.apply(code, files={"f": b"1"}, stdin="2\n",
                           env={"E": "3"}).value == ["1", "2", "3"]
    with pytest.raises(ProgramTimedOut):
        terrarium.apply("def main():\n while True: pass", timeout=0.5)


def test_a_traceback_fits_the_file(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramRaised) as caught:
        terrarium.call(samples.fails, x=5)
    source, first = inspect.getsourcelines(samples.fails)
    line = first + 2
    assert str(caught.value) == "IndexError: list index out of range"
    assert f'File "<exec>", line {line}, in fails' in caught.value.traceback
    assert "_terrarium" not in caught.value.failure.message
    assert caught.value.traceback.count("File") == 1
    assert f"{line}:     return items[x]" in caught.value.failure.context
    assert source[2] in caught.value.traceback + "\n"


@pytest.mark.parametrize("kind, words", [
    ("object", "the return value is of type object"),
    ("cycle", "the return value contains itself")])
def test_a_return_value_that_cannot_cross(terrarium: Terrarium, kind: str,
                                          words: str) -> None:
    with pytest.raises(BadReturn, match=words):
        terrarium.call(samples.wrong, kind=kind)


def test_an_integer_of_too_many_digits(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramRaised, match="digits"):
        terrarium.call(samples.wrong, kind="big")


def test_a_return_value_that_is_too_large(terrarium: Terrarium) -> None:
    assert len(terrarium.call(samples.large, n=5 << 20)) == 5 << 20
    with pytest.raises(BadReturn, match="larger than the server's limit"):
        terrarium.call(samples.large, n=7 << 20)


@pytest.mark.parametrize("forged", [
    None, 1, "x", "{}", '{"returned": {"$bytes": "*"}}', {"returned": 1},
    '{"returned": {"$x": 1}}', '{"returned": 1, "more": 2}',
    '{"returned": {"$bytes": 1}}', "[" * 100000, '{"returned": NaN}'])
def test_a_forged_return_value(forged: Any) -> None:
    with odd_server(lambda visit: visit.reply(
            {**OK, "final_expression": forged})) as odd:
        with pytest.raises(BadReturn):
            Terrarium(odd.url).call(samples.add, a=1)


def test_nothing_is_unpickled(terrarium: Terrarium) -> None:
    """A guest's value is returned unchanged, whatever it looks like."""
    code = "import pickle, os\nclass Bad:\n def __reduce__(self):\n" \
        "  return (os.system, ('touch /tmp/never',))\n" \
        "def main(): return pickle.dumps(Bad())"
    assert isinstance(terrarium.call(code), bytes)


# -- refusals


@pytest.mark.parametrize("function, words", [
    (samples.a_lambda, "is a lambda"),
    (samples.generator, "generator is a generator"),
    (samples.async_generator, "is a generator"),
    (samples.Holder().method, "Holder.method is a method of an object"),
    (samples.Holder.method, "Holder.method is a method, which needs"),
    (samples.Holder, "is a class"), (samples.Holder(), "not written in"),
    (len, "not written in Python"), (samples.a_partial, "not written in"),
    (None, "not written in"), (print, "not written in"),
    (samples.make_closure(1), r"closure is a closure: it uses y of"),
    (samples.uses_lock, "`LOCK` of module `samples`: is an object with"),
    (samples.making_globals, "do not exist: use_np_like$")])
def test_a_function_that_cannot_cross(function: Any, words: str) -> None:
    with odd_server(lambda visit: visit.reply(OK)) as odd:
        client = Terrarium(odd.url)
        with pytest.raises(NotSendable, match=words):
            client.call(function)
        if "exist" not in words:  # a name may be made later
            with pytest.raises(NotSendable, match=words):
                sandboxed(client)(function)
        assert odd.connections == 0


def test_a_function_without_source() -> None:
    names: Any = {}
    exec("def made(): return 1", names)
    with pytest.raises(NotSendable, match="source of made cannot be found"):
        Terrarium("https://localhost").call(names["made"])


def test_source_that_has_changed(tmp_path: Any) -> None:
    path = tmp_path / "changing.py"
    path.write_text("def one(): return 1\n")
    names: Any = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    path.write_text("def another(): return 1\n")
    with pytest.raises(NotSendable, match="changed since it was loaded"):
        Terrarium("https://localhost").call(names["one"])


@pytest.mark.parametrize("args, kwargs, words", [
    ([], {}, "missing a required argument: 'a'"),
    ([1, 2, 3], {}, "too many positional arguments"),
    ([1], {"z": 1}, "unexpected keyword argument 'z'"),
    ([len], {}, "argument a is of type builtin_function"),
    ([1, {"x": [0, object()]}], {},
     r"argument b\['x'\]\[1\] is of type object"),
    ([], {"a": "x\0"}, "argument a holds a NUL"),
    ([{len: 2}], {}, "a key of argument a is of type"),
    ([samples], {}, "argument a is of type module")])
def test_arguments_that_cannot_cross(args: Any, kwargs: Any,
                                     words: str) -> None:
    with odd_server(lambda visit: visit.reply(OK)) as odd:
        with pytest.raises(NotSendable, match=words):
            Terrarium(odd.url).apply(samples.add, args, kwargs)
        assert odd.connections == 0


def test_an_argument_that_contains_itself() -> None:
    loop: Any = []
    loop.append(loop)
    with pytest.raises(NotSendable, match="argument a contains itself"):
        Terrarium("https://localhost").call(samples.add, a=loop)


# -- requests that are sent


def test_the_envelope_is_as_documented() -> None:
    def script(visit: Visit) -> None:
        visit.reply({**OK, "final_expression": json.dumps(
            {"returned": {"$bytes": base64.b64encode(b"y").decode()}})})

    with odd_server(script) as odd:
        assert Terrarium(odd.url).call(samples.add, a=b"x",
                                       b={"$k": 1}) == b"y"
        sent = odd.visits[0].json()
    assert sent["arguments"] == {"args": [], "kwargs": {
        "a": {"$bytes": "eA=="}, "b": {"$object": {"$k": 1}}}} or \
        sent["arguments"] == {"args": [
            {"$bytes": "eA=="}, {"$object": {"$k": 1}}], "kwargs": {}}
    first = inspect.getsourcelines(samples.add)[1]
    assert sent["code"].split("\n")[first - 1] == "def add(a, b=2):"


# -- the decorator


def decorator_of(client: Any) -> Any:
    return sandboxed(client, timeout=5)


def test_the_decorator(terrarium: Terrarium) -> None:
    @sandboxed(terrarium, memory=100,
               timeout=5)
    def double(x: int,
               *,
               times: int = 2) -> int:
        """Doubles."""
        return x * times

    @decorator_of(terrarium)
    async def later(x: int) -> int:
        import asyncio
        await asyncio.sleep(0.01)
        return x + 1

    assert double(4) == 8 and double(4, times=3) == 12
    assert double.__doc__ == "Doubles." and double.__name__ == "double"
    assert double.__wrapped__(1) == 2  # type: ignore[attr-defined]
    assert inspect.iscoroutinefunction(later)

    async def both() -> Any:
        return await asyncio.gather(later(1), later(2))
    assert asyncio.run(both()) == [2, 3]
    with pytest.raises(NotSendable):
        double(len)  # type: ignore[arg-type]
    with pytest.raises(ProgramRaised, match="TypeError"):
        double({}, times=None)
