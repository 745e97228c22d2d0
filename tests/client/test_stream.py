"""Streams and sessions: their requests and results, from the real server and
from servers of the tests' own."""

from __future__ import annotations

import json
import re
import time
from typing import Any, List

import pytest
from odd_server import OK, Visit, hang_up, odd_server
from terrarium import (BadReply, Busy, ConnectionBroke, Displayed, End, Event,
                       Failed, File, Forbidden, NotFound, ProgramRaised,
                       ReplyLate, SessionsOff, Stderr, Stdout, Terrarium)

END = {"type": "end", "success": True, "final_expression": 2,
       "code_runtime": 5, "id": "77"}


def lines(*events: Any, end: bool = True) -> Any:
    """A script that streams EVENTS."""
    def script(visit: Visit) -> None:
        visit.send("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; "
                   "charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n")
        for event in events:
            data = event if isinstance(event, bytes) else \
                json.dumps(event).encode() + b"\n"
            visit.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if end:
            visit.send("0\r\n\r\n")
        hang_up(visit)
    return script


def stream(script: Any, **options: Any) -> List[Event]:
    with odd_server(script) as odd:
        found = list(Terrarium(odd.url, **options).stream("1"))
        assert "Accept: application/x-ndjson" in odd.visits[0].head
    return found


def test_events_as_they_come() -> None:
    found = stream(lines(
        {"type": "number_of_executions", "execution_count": 1},
        {"type": "stdout", "text": "a", "timestamp": 1},
        {"type": "stderr", "text": "e", "timestamp": 2}, b"\n",
        {"type": "keepalive"}, {"type": "stdout", "text": "b"},
        {"type": "result", "png": "aGk=", "text": "fig", "html": None},
        {"type": "result", "text": "2", "is_main_result": True},
        {"type": "file", "filename": "f", "b64_data": "eA=="},
        {"type": "unheard", "of": 1}, END))
    assert [type(event) for event in found] == [
        Stdout, Stderr, Stdout, Displayed, Displayed, File, End]
    end = found[-1]
    assert isinstance(end, End)
    result = end.result
    assert (result.stdout, result.stderr) == ("ab", "e")
    assert result.files == {"f": b"x"} and result.value == 2
    assert [d.data for d in result.displays] == [
        {"image/png": "aGk=", "text/plain": "fig"}]
    assert result.displays[0].binary("image/png") == b"hi"
    assert result.success and result.id == "77"


def test_a_failure_in_a_stream() -> None:
    trace = "Traceback (most recent call last):\nValueError: no"
    found = stream(lines(
        {"type": "error", "name": "ValueError", "value": "no",
         "traceback": trace}, {**END, "success": False}))
    assert found[0] == Failed("ValueError", "no", trace)
    assert isinstance(found[1], End)
    with pytest.raises(ProgramRaised, match="ValueError: no") as caught:
        found[1].result.check()
    assert caught.value.traceback == trace


def test_events_are_there_before_the_end() -> None:
    def script(visit: Visit) -> None:
        lines_of = lines({"type": "stdout", "text": "early"}, end=False)
        try:
            lines_of(visit)
        except ConnectionAbortedError:
            time.sleep(5)

    with odd_server(script) as odd:
        events = Terrarium(odd.url).stream("1")
        begun = time.monotonic()
        assert next(events) == Stdout("early")
        assert time.monotonic() - begun < 2
        events.close()


def test_closing_a_stream_closes_the_connection() -> None:
    seen = []

    def script(visit: Visit) -> None:
        try:
            lines({"type": "stdout", "text": "x"}, end=False)(visit)
        except ConnectionAbortedError:
            visit.sock.settimeout(5)
            seen.append(visit.sock.recv(1))
            raise

    with odd_server(script) as odd:
        events = Terrarium(odd.url).stream("1")
        next(events)
        events.close()
        end = time.monotonic() + 5
        while not seen and time.monotonic() < end:
            time.sleep(0.01)
    assert seen == [b""]


@pytest.mark.parametrize("script, kind", [
    (lines({"type": "stdout", "text": "x"}), ConnectionBroke),
    (lines({"type": "stdout", "text": "x"}, end=False), ConnectionBroke),
    (lines(b"{"), BadReply), (lines([]), BadReply),
    (lines({"type": "stdout"}), BadReply),
    (lines({"type": "file", "filename": "x", "b64_data": "*"}), BadReply),
    (lines({"type": "error"}), BadReply),
    (lines({"type": "end"}), BadReply),
    (lines(b"x" * (2 << 20)), BadReply),
    (lines(*[{"type": "stdout", "text": "x" * 10000}] * 200), BadReply)])
def test_a_stream_that_is_none(script: Any, kind: Any) -> None:
    with pytest.raises(kind):
        stream(script, max_reply_mb=1)


def test_a_stream_that_never_ends() -> None:
    def script(visit: Visit) -> None:
        try:
            lines(end=False)(visit)
        except ConnectionAbortedError:
            while True:
                visit.send("15\r\n{\"type\":\"keepalive\"}\n\r\n")
                time.sleep(0.05)

    with pytest.raises(ReplyLate):
        stream(script, wait=0.5)


def test_a_server_that_does_not_stream() -> None:
    with odd_server(lambda visit: visit.reply(
            {**OK, "std_out": "out", "final_expression": 1})) as odd:
        found = list(Terrarium(odd.url).stream("1"))
    assert found[0] == Stdout("out") and isinstance(found[1], End)
    assert found[1].result.value == 1


def test_the_real_server_streams(terrarium: Terrarium) -> None:
    """The first event is there while the program still runs, and closing the
    stream ends it."""
    events = terrarium.stream(
        "import time\nprint('early', flush=True)\ntime.sleep(15)",
        timeout=20)
    begun = time.monotonic()
    assert next(events) == Stdout("early\n")
    assert time.monotonic() - begun < 14
    events.close()


@pytest.mark.parametrize("code", [
    "print('a'); open('f', 'w').write('x'); [1, 2]", "1 / 0",
    "print('a'); raise SystemExit(3)", "import os; os._exit(4)", "x = 1",
    "print('x' * 3000000)", "display(1); None", "",
    "import sys; sys.stderr.write('e'); {'a': None}"])
def test_a_stream_ends_with_the_result_of_run(terrarium: Terrarium,
                                              code: str) -> None:
    *_, end = terrarium.stream(code)
    assert isinstance(end, End)
    streamed, whole = end.result, terrarium.run(code)
    for name in ("success", "value", "has_value", "stdout", "stderr", "files",
                 "displays", "failure", "truncated"):
        assert getattr(streamed, name) == getattr(whole, name), name
    assert streamed.id
    assert streamed.usage.memory_peak_kb > 0 or not code


def test_forms_of_a_stream_have_the_same_names(terrarium: Terrarium) -> None:
    """Lines have short names for them."""
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"
    forms = ["chart", "svg"]
    *_, end = terrarium.stream(code, forms=forms)
    assert isinstance(end, End)
    assert {frozenset(display.data) for display in end.result.displays} == \
        {frozenset(display.data)
         for display in terrarium.run(code, forms=forms).displays} == \
        {frozenset({"text/plain", "image/svg+xml",
                    "application/vnd.terrarium.chart+json"})}


def test_streams_of_a_session(terrarium: Terrarium) -> None:
    if not terrarium.about().sessions:
        pytest.skip("sessions are switched off")
    with terrarium.session() as session:
        *_, end = session.stream("x = 1\nprint('begun')")
        assert isinstance(end, End) and end.result.session == "new"
        assert end.result.stdout == "begun\n"
        *_, end = session.stream("x + 1")
        assert isinstance(end, End) and end.result.value == 2
        assert end.result.session == "kept"


def test_each_kind_of_event(terrarium: Terrarium) -> None:
    found = list(terrarium.stream(
        "import sys\nprint('out')\nprint('err', file=sys.stderr)\n"
        "open('f', 'w').write('x')\ndisplay(1)\nraise OSError('no')"))
    kinds = {type(event) for event in found}
    assert kinds == {Stdout, Stderr, Displayed, File, Failed, End}
    end = found[-1]
    assert isinstance(end, End) and end.result.stdout == "out\n"
    assert end.result.failure and end.result.failure.text == "no"


def test_a_refusal_is_raised_by_a_stream() -> None:
    with odd_server(lambda visit: visit.reply({}, "503 Busy")) as odd:
        with pytest.raises(Busy):
            next(Terrarium(odd.url).stream("1"))


# -- sessions


def test_a_session_says_its_name() -> None:
    def script(visit: Visit) -> None:
        visit.reply({**OK, "status": "ok", "detail": "done",
                     "session": {"state": "kept"}})

    with odd_server(script) as odd:
        client = Terrarium(odd.url)
        with client.session("me") as session:
            assert session.run("x = 1").session == "kept"
            list(session.stream("x"))
            other = session.fork()
            other.run("x")
            named = session.fork("you")
        assert client.session().id != client.session().id
    asked = [(v.head.split()[1], v.json()) for v in odd.visits]
    assert [path for path, _ in asked] == [
        "/", "/", "/fork", "/", "/fork", "/release"]
    assert asked[0][1] == {"code": "x = 1", "results": True,
                           "session": "me"}
    assert asked[1][1]["session"] == "me"
    assert asked[2][1] == {"user_uuid": "me", "new_uuid": other.id}
    assert asked[3][1]["session"] == other.id
    assert asked[4][1]["new_uuid"] == named.id == "you"
    assert asked[5][1] == {"user_uuid": "me"}


def test_a_session_and_its_branches_have_one_key() -> None:
    """A front of several hosts sends them to one; other runs have none."""
    def script(visit: Visit) -> None:
        visit.reply({**OK, "status": "ok", "detail": "done"})

    with odd_server(script) as odd:
        client = Terrarium(odd.url)
        client.run("1")
        session = client.session("me \u00e9\r\nX: 1")
        session.run("x = 1")
        list(session.stream("x"))
        branch = session.fork().fork()
        branch.run("x")
        branch.release()
        client.session("you").run("1")
    keys = [re.findall(r"(?im)^session-key: (.*?)\r?$", v.head)
            for v in odd.visits]
    assert keys == [[]] + [["me%20%C3%A9%0D%0AX%3A%201"]] * 6 + [["you"]]


def test_sessions_that_are_off_are_said_to_be(terrarium: Terrarium) -> None:
    error = {"error": {"code": "sessions_off", "message": "switched off"}}
    with odd_server(lambda visit: visit.reply(error, "403 No")) as odd:
        with pytest.raises(SessionsOff, match="switched off"):
            Terrarium(odd.url).session().run("1")
    gone = {"error": {"code": "not_found", "message": "nothing here"}}
    off = {"detail": "sessions are switched off on this server"}
    for answer, status in ((gone, "404 No"), (off, "403 No")):
        with odd_server(lambda visit: visit.reply(answer, status)) as odd:
            session = Terrarium(odd.url).session()
            for ask in (session.fork, session.release):
                with pytest.raises(SessionsOff, match="no sessions"):
                    ask()


def test_a_session_that_is_not_there_is_another_matter() -> None:
    with odd_server(lambda visit: visit.reply(
            {"detail": "no such session"}, "404 No")) as odd:
        with pytest.raises(NotFound, match="no such session"):
            Terrarium(odd.url).session().fork()
    with odd_server(lambda visit: visit.reply(
            {"detail": "the client's name is too long"}, "403 No")) as odd:
        with pytest.raises(Forbidden, match="too long") as caught:
            Terrarium(odd.url).session().release()
    assert not isinstance(caught.value, SessionsOff)


def test_the_real_server(terrarium: Terrarium) -> None:
    """Sessions as they are switched on there, or a clear word."""
    session = terrarium.session()
    try:
        session.run("x = 1", check=True)
    except SessionsOff:
        return
    assert session.run("x + 1").value == 2
    session.release()
