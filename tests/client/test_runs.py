"""Programs on the real server: their input and output."""

from __future__ import annotations

import concurrent.futures
import pickle
from pathlib import Path
from typing import Any

import pytest
import terrarium as terrarium_module
from odd_server import OK, odd_server
from terrarium import (BadReply, BadRequest, Display, File, NotSendable,
                       ProgramExited, ProgramFailed,
                       ProgramFlooded, ProgramKilled, ProgramNotRun,
                       ProgramRaised, ProgramTimedOut, Result, Terrarium,
                       TooLarge, Unauthorized)


def test_a_program_and_all_it_gives(terrarium: Terrarium) -> None:
    result = terrarium.run(
        "import os, sys\nprint(input(), os.environ['WORD'])\n"
        "print('bad', file=sys.stderr)\n"
        "open('made', 'wb').write(open('sub/given', 'rb').read()[::-1])\n"
        "{'a': [1, 2.5, None, True]}",
        files={"sub/given": b"\0\xffx"}, stdin="line\n", env={"WORD": "w"},
        timeout=10, memory=100)
    assert result.success and result.failure is None
    assert result.stdout == "line w\n" and result.stderr == "bad\n"
    assert result.files == {"made": b"x\xff\0"}
    assert result.has_value and result.value == {"a": [1, 2.5, None, True]}
    assert len(result.id) == 32 and result.usage.memory_peak_kb > 0
    assert result.truncated == {} and result.check() is result


def test_files_may_be_paths(terrarium: Terrarium, tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    code = "import os\nsorted(os.listdir()), open('x').read() " \
        "if os.path.exists('x') else None"
    assert terrarium.run(code, files=[tmp_path / "one", tmp_path / "two"]
                         ).value == [["one", "two"], None]
    assert terrarium.run(code, files={"x": tmp_path / "two"}).value == \
        [["x"], "2"]


def test_arguments_go_to_main(terrarium: Terrarium) -> None:
    code = "def main(a, *, b=2): return [a, b]"
    assert terrarium.run(code, arguments={"a": {"k": "ü"}}).value == \
        [{"k": "ü"}, 2]


def test_no_value_and_none_are_told_apart(terrarium: Terrarium) -> None:
    assert not terrarium.run("x = 1").has_value
    assert terrarium.run("0").has_value


def test_displays(terrarium: Terrarium) -> None:
    result = terrarium.run("import matplotlib.pyplot as plt\n"
                           "plt.plot([1, 2])\nplt.show()")
    assert result.displays[0].binary("image/png")[1:4] == b"PNG"


TABLE = """
class Table:
    def _repr_html_(self): return '<p>'
    def _repr_png_(self): raise AssertionError
    def _repr_markdown_(self): return '*'
    def __repr__(self): return 'table'
display(Table())
"""


def test_only_the_forms_that_are_named(terrarium: Terrarium) -> None:
    """Those that are not named are not even made."""
    for forms in (["html"], ("html",), {"html": 1}, iter(["html", "svg"])):
        result = terrarium.run(TABLE, forms=forms, check=True)
        assert [display.data for display in result.displays] == [
            {"text/plain": "table", "text/html": "<p>"}]
    result = terrarium.run(TABLE, forms=["markdown", "text"], check=True)
    assert result.displays[0].data == {"text/plain": "table",
                                       "text/markdown": "*"}


def test_the_points_of_a_chart(terrarium: Terrarium) -> None:
    result = terrarium.run("import matplotlib.pyplot as plt\n"
                           "plt.plot([1, 2])", forms=["chart", "pdf"])
    display = result.displays[0]
    chart: Any = display.data["application/vnd.terrarium.chart+json"]
    assert chart["elements"][0]["points"] == [[0, 1], [1, 2]]
    assert display.binary("application/pdf")[:4] == b"%PDF"
    assert "image/png" not in display.data


def test_a_form_that_is_unknown(terrarium: Terrarium) -> None:
    with pytest.raises(BadRequest, match=r"forms\[1\] must be") as caught:
        terrarium.run("1", forms=["html", "hmtl"])
    assert caught.value.code == "bad_form"


def test_what_was_dropped_is_told(terrarium: Terrarium) -> None:
    result = terrarium.run("print('x' * 3000000)")
    assert result.truncated["std_out"] > 0


@pytest.mark.parametrize("code, kind, exit_code, words", [
    ("def f():\n    raise KeyError('k')\nf()", ProgramRaised, 1,
     "KeyError: 'k'"),
    ("class Odd(Exception): pass\nraise Odd('a\\n\\nb')", ProgramRaised, 1,
     "Odd: a\n\nb"),
    ("raise ValueError", ProgramRaised, 1, "ValueError"),
    ("import json\njson.loads('{')", ProgramRaised, 1,
     "JSONDecodeError: Expecting property name"),
    ("try:\n    1 / 0\nexcept Exception as e:\n    raise OSError('o') from e",
     ProgramRaised, 1, "OSError: o"),
    ("if", ProgramRaised, 1, "SyntaxError: invalid syntax"),
    ("b'x' * (1 << 40)", ProgramRaised, 1, "MemoryError"),
    ("import sys\nsys.exit(3)", ProgramExited, 3, "3"),
    ("import os\nos._exit(4)", ProgramExited, 4, "status 4"),
    ("import ctypes\nctypes.string_at(0)", ProgramKilled, 139, "signal 11"),
    ("while True: pass", ProgramTimedOut, 124, "time limit"),
    ("while True: print('x' * 100000)", ProgramFlooded, 1, "printed"),
    ("", ProgramNotRun, 1, "no code")])
def test_each_failure_has_its_class(terrarium: Terrarium, code: str,
                                    kind: Any, exit_code: int,
                                    words: str) -> None:
    limit = 1 if kind is ProgramTimedOut else 10
    result = terrarium.run(code, timeout=limit)
    assert not result.success and result.failure is not None
    with pytest.raises(kind) as caught:
        result.check()
    error = caught.value
    assert type(error) is kind and error.exit_code == exit_code
    assert words in str(error) and error.result is result
    with pytest.raises(kind):
        terrarium.run(code, timeout=limit, check=True)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and copy.result == result


def test_the_traceback_comes_along(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramRaised) as caught:
        terrarium.run("print('before')\ndef f(x):\n    return 1 / x\nf(0)",
                      check=True)
    error = caught.value
    assert error.traceback.startswith("Traceback (most recent call last):\n")
    assert 'File "<exec>", line 3, in f' in error.traceback
    assert error.traceback.endswith("ZeroDivisionError: division by zero")
    assert error.failure.context.startswith("1: print('before')\n2: def f")
    assert error.result.stdout == "before\n"
    assert len(error.id) == 32


def test_a_timeout_keeps_what_was_there(terrarium: Terrarium) -> None:
    result = terrarium.run(
        "print('so far', flush=True)\nopen('f', 'w').write('x')\n"
        "import time\ntime.sleep(9)", timeout=0.5)
    assert isinstance(result.failure and result.failure.type, str)
    assert result.stdout == "so far\n" and result.files == {"f": b"x"}
    assert "line 4" in (result.failure and result.failure.traceback or "")


def test_a_wrong_token(settings: Any) -> None:
    client = Terrarium(settings.url, "wrong", ca_file=settings.cacert)
    with pytest.raises(Unauthorized, match="token") as caught:
        client.run("1")
    assert caught.value.code == "unauthorized"
    assert client.health()


@pytest.mark.parametrize("options, words", [
    ({"timeout": 100000}, "timeout_ms"), ({"memory": 1 << 20}, "memory_mb"),
    ({"env": {"LD_PRELOAD": "x"}}, "LD_PRELOAD")])
def test_what_the_server_refuses_is_named(
        terrarium: Terrarium, options: Any, words: str) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        terrarium.run("1", **options)
    assert caught.value.status == 400 and caught.value.code


def test_a_malformed_file_name(terrarium: Terrarium) -> None:
    with pytest.raises(ProgramNotRun, match=r"files\[0\]"):
        terrarium.run("1", files={"../x": b""}, check=True)


def test_a_request_that_is_too_large(terrarium: Terrarium) -> None:
    with pytest.raises(TooLarge):
        terrarium.run("1", files={"x": bytes(80 << 20)})
    assert terrarium.run("1").success


@pytest.mark.parametrize("options, words", [
    ({"code": b"1"}, "code"), ({"stdin": b"x"}, "stdin"),
    ({"timeout": 0}, "timeout"), ({"timeout": "5"}, "timeout"),
    ({"timeout": float("nan")}, "timeout"), ({"timeout": True}, "timeout"),
    ({"memory": -1}, "memory"), ({"env": {"A": 1}}, "env: 'A'"),
    ({"forms": "html"}, "forms"), ({"forms": []}, "forms"),
    ({"forms": [1]}, "forms"),
    ({"files": {"f": "text"}}, "files: 'f'"), ({"files": "f"}, "files"),
    ({"arguments": {"a": {1}}}, r"arguments\['a'\] is of type set"),
    ({"arguments": {"a": b""}}, r"arguments\['a'\] is of type bytes"),
    ({"arguments": {"a": [0, float("inf")]}}, r"arguments\['a'\]\[1\] is inf"),
    ({"arguments": {"a": {1: 2}}}, "has the key 1")])
def test_what_cannot_be_sent_is_not(options: Any, words: str) -> None:
    with odd_server(lambda visit: visit.reply(OK)) as odd:
        with pytest.raises(NotSendable, match=words):
            Terrarium(odd.url).run(**{"code": "1", **options})
        assert odd.connections == 0


def test_many_at_once(terrarium: Terrarium) -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(
            lambda n: terrarium.run(f"print({n})\n{n}"), range(40)))
    assert [r.value for r in results] == list(range(40))
    assert [r.stdout for r in results] == [f"{n}\n" for n in range(40)]


def test_health(terrarium: Terrarium) -> None:
    health = terrarium.health()
    assert health and health.ok and health.reason == "hi!"
    with odd_server(lambda visit: visit.reply(
            {"error": {"code": "x", "message": "no generation"}},
            "503 No", ("Retry-After: 0",))) as odd:
        health = Terrarium(odd.url, "tok").health()
        assert not health and "no generation" in health.reason
        assert len(odd.visits) == 1
        assert "Authorization" not in odd.visits[0].head


# -- files that come back


def test_files_are_saved(terrarium: Terrarium, tmp_path: Path) -> None:
    result = terrarium.run("import os\nos.mkdir('a')\n"
                           "open('a/b', 'w').write('x')\n"
                           "open('c', 'w').write('y')")
    paths = result.save(tmp_path / "new")
    assert sorted(str(p.relative_to(tmp_path)) for p in paths) == \
        ["new/a/b", "new/c"]
    assert (tmp_path / "new/a/b").read_bytes() == b"x"


@pytest.mark.parametrize("name", [
    "../x", "/x", "a/../../x", "", ".", "a//b", "a/./b", "x\0y", "link",
    "out/x", "a/.."])
def test_a_name_that_leads_elsewhere_is_not_saved(
        tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "x")
    (root / "out").symlink_to(tmp_path)
    result = Result(True, files={"good": b"", name: b"bad"})
    with pytest.raises(ValueError):
        result.save(root)
    assert not (tmp_path / "x").exists() and not (root / "good").exists()


def test_every_failure_is_one_of_ours() -> None:
    result = {**OK, "success": False,
              "error": {"type": "Never Heard", "message": "what"}}
    with odd_server(lambda visit: visit.reply(result)) as odd:
        with pytest.raises(ProgramFailed, match="Never Heard"):
            Terrarium(odd.url).run("1", check=True)


# -- about the server


def test_packages(terrarium: Terrarium) -> None:
    found = terrarium.packages()
    by_name = {one.name: one for one in found}
    assert by_name["numpy"].version[0].isdigit()
    assert by_name["numpy"].preloaded in (True, False)
    assert len(found) == len(by_name) > 10


def test_about(terrarium: Terrarium) -> None:
    about = terrarium.about()
    assert about.version == terrarium_module.__version__
    assert about.python.startswith("3.")
    assert "POST /" in about.doors["native"]
    assert terrarium.limits() == about.limits
    assert about.limits["timeout_ms"] > 0 and about.limits["body_mb"] > 0
    with pytest.raises(BadRequest, match="timeout_ms"):
        terrarium.run("1", timeout=about.limits["timeout_ms"] / 1000 + 1)


@pytest.mark.parametrize("reply", [
    {}, {"packages": 1}, {"packages": ["x"]}, {"packages": [{"name": 1}]},
    {"packages": [{"name": "x", "version": 1}]}])
def test_packages_that_are_none(reply: Any) -> None:
    with odd_server(lambda visit: visit.reply(reply)) as odd:
        with pytest.raises(BadReply):
            Terrarium(odd.url).packages()


@pytest.mark.parametrize("reply", [
    {}, {"version": 1}, {"version": "1", "limits": {"x": "y"}},
    {"version": "1", "limits": []}, {"version": "1", "doors": {"x": 1}}])
def test_a_server_that_is_none(reply: Any) -> None:
    with odd_server(lambda visit: visit.reply(reply)) as odd:
        with pytest.raises(BadReply):
            Terrarium(odd.url).about()
        assert "Accept: application/json" in odd.visits[0].head


def test_the_repr_of_a_result_has_no_bytes(terrarium: Terrarium) -> None:
    result = terrarium.run(
        "open('f', 'wb').write(b'secret' * 1000)\nprint('x' * 5000)\n"
        "display(__import__('types').SimpleNamespace("
        "_repr_png_=None))\n[1] * 1000")
    text = repr(result)
    assert text.startswith("<Result success, value=[1, 1,")
    assert "'f': 6000 bytes" in text and "secret" not in text
    assert len(text) < 1000 and f"{result.runtime_ms} ms" in text
    failed = repr(terrarium.run("raise ValueError('\x1b[1m' + 'y' * 9999)"))
    assert failed.startswith("<Result failed, ValueError: ")
    assert "\x1b" not in failed and len(failed) < 1000
    assert repr(File("f", b"secret")) == "File('f', 6 bytes)"
    assert repr(Display({"image/png": "secret"})) == "Display(image/png)"
    assert len(repr(Result(True, "a" * 10 ** 6, True, files={
        "n" * 10000: b""}))) < 1000
