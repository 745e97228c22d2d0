"""POST / with an Accept header that asks for a stream."""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from client import JSON, Client
from conftest import Status, wait_until
from fastcgi_peer import FastCgiClient
from own_server import Place
from sessions import begin, reload_nginx
from streams import NDJSON, SSE, Stream, Streamed, broken, curl, stream

OUTPUT_KB = 64
SEND_S = 3
EXTRA = (f"sessions.max=4;sessions.evict_after_s=0;limits.output_kb={OUTPUT_KB};"
         f"server.send_timeout_ms={SEND_S * 1000}")
SLEEP = "print('a', flush=True)\nimport time\ntime.sleep(25)"


@pytest.fixture(scope="module")
def server(shared_place: Place) -> Iterator[tuple[Client, Status]]:
    yield begin(shared_place, EXTRA)


@pytest.fixture
def client(server: tuple[Client, Status]) -> Client:
    return server[0]


@pytest.fixture
def status(server: tuple[Client, Status]) -> Status:
    return server[1]


sessions = itertools.count()


def fresh(where: dict[str, Any]) -> dict[str, Any]:
    """The same in a session that has had no call."""
    return {"session": f"s{next(sessions)}"} if where else {}


@pytest.fixture(params=["alone", "session"])
def where(request: Any) -> dict[str, Any]:
    """A call without a session, and one in a new session."""
    return {} if request.param == "alone" else fresh({"session": ""})


def whole(client: Client, code: str, **fields: Any) -> dict[str, Any]:
    return client.run(code, **fields).json()


# -- what comes, and when


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_lines_come_while_the_program_runs(
        client: Client, where: dict[str, Any], form: str) -> None:
    out = stream(client, "import time, sys\n"
                 "for i in range(3):\n"
                 "    print(i)\n"
                 "    time.sleep(0.5)\n"
                 "print('e', file=sys.stderr)\n7", form, **where)
    assert [line["text"] for line in out.of("stdout")] == ["0\n", "1\n", "2\n"]
    assert out.text("stderr") == "e\n"
    assert out.end()["final_expression"] == 7 and out.end()["success"]
    assert out.events[1].at - out.events[0].at > 0.2
    assert out.events[2].at - out.events[1].at > 0.2
    assert set(out.end()) == {"type", "final_expression", "success",
                              "code_runtime", "usage", "exit_code", "id"} | \
        set(where)


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_http2(shared_place: Place, client: Client, form: str) -> None:
    child = curl(client, shared_place.assignments()["TERRARIUM_CACERT"],
                 "import time\nprint(1)\ntime.sleep(1)\nprint(2)", form)
    assert child.stdout
    times, text = [], b""
    for line in child.stdout:
        times.append(time.monotonic())
        text += line
    assert child.wait(10) == 0
    assert text.count(b'"type":"stdout"') == 2
    assert times[-1] - times[0] > 0.5
    assert (b"data: " in text) == (form == SSE)


def test_the_headers(client: Client) -> None:
    with Stream(client, "1", headers={"Accept-Encoding": "gzip, br"}) as one:
        headers = one.answer.headers
        end = list(one.events())[-1].fields
    assert headers["Content-Type"] == NDJSON
    assert headers["Content-Encoding"] is None
    assert headers["Content-Length"] is None
    assert headers["X-Accel-Buffering"] is None
    assert headers["X-Request-Id"] == end["id"]
    assert headers["Cache-Control"] == "no-store"


def test_a_timestamp(client: Client) -> None:
    before = time.time()
    stamp = stream(client, "print(1)").of("stdout")[0]["timestamp"]
    whole_seconds, fraction = stamp.split(".")
    assert fraction.endswith("Z") and len(fraction) == 7
    found = subprocess.run(["date", "-u", "-d", whole_seconds + "Z", "+%s"],
                           capture_output=True, text=True, check=True)
    assert int(before) <= int(found.stdout) <= time.time()


# -- what was streamed, and what a whole answer has


PROGRAMS = {
    "nothing": "pass",
    "text": "print('h\u00e9 \U0001f40d \u2028\u2029\u0085')",
    "control": "print(''.join(map(chr, range(0x00a0))))",
    "forged": "print('{\"type\":\"end\",\"success\":true}')\n"
              "print('\\n\\ndata: {\"type\":\"end\"}\\n\\n')\n"
              "print('\\r\\nevent: x\\rid: 1\\r\\n\\r\\n')\n"
              "print('0\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\n')",
    "quotes": "print('\"' * 100 + '\\\\' * 101)",
    "each byte": "import os\n"
                 "for i in range(256): os.write(1, bytes([i]))",
    "each byte backwards": "import os\n"
                           "for i in range(256): os.write(2, bytes([255-i]))",
    "cut characters": "import os, time\n"
                      "for byte in 'a\u00e9\u20ac\U0001f40d'.encode():\n"
                      "    os.write(1, bytes([byte])); time.sleep(0.01)",
    "broken characters": "import os, time\n"
                         "for text in [b'\\xe2\\x82', b'x', b'\\xf0\\x9f',\n"
                         "             b'\\xf0\\x9f\\x90', b'\\xed\\xa0',\n"
                         "             b'\\x80', b'\\xc3']:\n"
                         "    os.write(1, text); time.sleep(0.01)",
    "an end in a character": "import os\nos.write(1, b'a\\xe2\\x82')",
    "surrogates": "print('\\ud800')",
    "as much as is kept": f"print('x' * {OUTPUT_KB * 1024 - 1})",
    "more than is kept": f"print('\u00e9' * {OUTPUT_KB * 1024})\n"
                         "import sys\n"
                         "print('y' * 200000, file=sys.stderr)",
    "an exception": "print(1)\nprint(2)\n1 / 0",
    "an exception's text": "raise ValueError('a: b\\nc: d \u00e9')",
    "no text": "raise KeyError",
    "an exit": "print(1)\nimport sys\nsys.exit(3)",
    "a crash": "print(1)\nimport os\nos.abort()",
    "a syntax error": "1 +",
    "a value": "[1, '\u00e9', None, 1.5]",
    "None": "None",
    "warned": "print(1); 10 ** 5000",
    "files": "import os\nopen('a', 'w').write('x' * 70000)\n"
             "os.mkdir('d'); open('d/\u00e9', 'wb').write(bytes(range(256)))\n"
             "open('empty', 'w').close()\n1",
    "names": "open(b'\\xff', 'w').close(); open(b'\\xfe', 'w').close()\n"
             "open('\\n\"', 'w').close()",
    "a closed stream": "import os\nprint(1)\nos.close(1)\n2",
}
# Members that differ between two runs.
OWN = ("id", "code_runtime", "usage", "session", "type")


def assert_agrees(out: Streamed, reply: dict[str, Any]) -> None:
    end = out.end()
    assert out.text("stdout") == reply["std_out"]
    assert out.text("stderr") == reply["std_err"]
    files = {line["filename"]: line["b64_data"] for line in out.of("file")}
    assert files == {file["filename"]: file["b64_data"]
                     for file in reply["output_files"]}
    if "error" in reply:
        error, = out.of("error")
        assert error["name"] == reply["error"]["type"]
        assert error["traceback"] == reply["error"]["message"]
        assert isinstance(error["value"], str)
    else:
        assert out.of("error") == []
    sent = ("std_out", "std_err", "output_files", "error", "results") + OWN
    assert {name: value for name, value in end.items() if name not in OWN} == {
        name: value for name, value in reply.items() if name not in sent}
    assert set(OWN) & set(end) == set(OWN) & set(reply) | {"type"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_stream_agrees_with_a_whole_answer(
        client: Client, where: dict[str, Any], name: str) -> None:
    code = PROGRAMS[name]
    assert_agrees(stream(client, code, **where),
                  whole(client, code, **fresh(where)))


@pytest.mark.parametrize("name", ["forged", "control", "files", "text"])
def test_server_sent_events_agree(client: Client, name: str) -> None:
    assert_agrees(stream(client, PROGRAMS[name], SSE),
                  whole(client, PROGRAMS[name]))


VALUES = {
    "1 / 0": "division by zero",
    "raise ValueError('a: b\\nsecond')": "a: b",
    "raise KeyError": "",
    "import json\njson.loads('{')": None,
    "class E(Exception): pass\nraise E('mine')": "mine",
    "try: 1 / 0\nexcept Exception: raise ValueError('last')": "last",
    "import os\nos._exit(3)": None,
}


@pytest.mark.parametrize("code", VALUES)
def test_the_value_of_an_error(client: Client, code: str) -> None:
    error, = stream(client, code).of("error")
    if VALUES[code] is None:
        assert error["value"] and error["value"] in error["traceback"]
    else:
        assert error["value"] == VALUES[code]


def test_output_of_a_run_that_is_too_long(client: Client,
                                          where: dict[str, Any]) -> None:
    out = stream(client, "print('before', flush=True)\nwhile True: pass",
                 timeout_ms=500, **where)
    assert out.kinds() == ["stdout", "error", "end"]
    assert out.of("error")[0]["name"] == "timeout"
    assert not out.end()["success"]


# -- rich values


# Output and rich values take different ways, so their order is certain only
# when there is time between them.
SHOWN = """
import time
for i in range(9):
    print("before", i)
display({"text/plain": "1", "image/png": "iVBORw0KGgo="}, raw=True)
time.sleep(0.3)
print("between")
time.sleep(0.3)
display({"text/html": "<b>\u00e9\\n</b>", "application/x.own+json": {"a": [1]},
         "type": "end", "text": "forged", "is_main_result": True}, raw=True)
"""


def test_rich_values(client: Client, where: dict[str, Any]) -> None:
    out = stream(client, SHOWN, results=True, **where)
    assert out.kinds() == ["stdout", "result", "stdout", "result", "end"]
    first = [e.fields["type"] for e in out.events].index("result")
    assert "".join(e.fields["text"] for e in out.events[:first]) == "".join(
        f"before {i}\n" for i in range(9))
    assert out.of("result") == [
        {"type": "result", "text": "1", "png": "iVBORw0KGgo=",
         "is_main_result": False},
        {"type": "result", "html": "<b>\u00e9\n</b>",
         "application/x.own+json": {"a": [1]}, "is_main_result": False}]
    assert "results" not in out.end()


def test_data_has_a_short_name(client: Client, where: dict[str, Any]) -> None:
    pytest.importorskip("pandas")
    out = stream(client, "import pandas as pd\npd.DataFrame({'a': [1]})",
                 forms=["data"], **where)
    assert out.of("result") == [
        {"type": "result", "text": "   a\n0  1", "data": {"a": [1]},
         "is_main_result": False}]


def test_rich_values_that_were_not_asked_for(client: Client) -> None:
    assert stream(client, SHOWN).of("result") == []


FORGED = """
import os, struct
def frame(kind, data):
    os.write(3, struct.pack("=II", kind, len(data)) + data)
"""
# Frames that a program writes itself, to the descriptor of its results.
FRAMES = {
    "no JSON": 'frame(1, b"{}}")',
    "no object": 'frame(1, b"[1]")',
    "half a character": 'frame(1, b"{\\"a/b\\":\\"\\xff\\"}")',
    "a line": 'frame(1, b"{\\"a/b\\":1}\\n{\\"type\\":\\"end\\"}")',
    "no such frame": "frame(99, b'')",
    "a bad value": 'frame(2, b"}")',
}


@pytest.mark.parametrize("name", FRAMES)
def test_forged_frames(client: Client, where: dict[str, Any],
                       name: str) -> None:
    code = FORGED + "print(1)\n" + FRAMES[name]
    out = stream(client, code, results=True, **where)
    reply = whole(client, code, results=True, **fresh(where))
    assert not reply["success"] and not out.end()["success"]
    assert out.of("error")[0]["name"] == reply["error"]["type"]
    assert out.of("result") == []
    assert client.value("1 + 1", **where) == 2


def test_good_frames_with_line_ends(client: Client) -> None:
    out = stream(client, FORGED + 'frame(1, b"{\\"a/b\\":\\n[1,\\r\\n\\"'
                 '\\xc3\\xa9\\"]}")', results=True)
    assert out.of("result") == [{"type": "result", "a/b": [1, "\u00e9"],
                                 "is_main_result": False}]


# -- requests


REFUSED = {
    "no JSON": (b"{", 400),
    "a type": (b'{"code": 1}', 400),
    "a limit": (b'{"code": "1", "timeout_ms": 100000000}', 400),
    "no session": (b'{"code": "1", "session": "none of this name",'
                   b' "session_must_exist": true}', 410),
    "no program": (b'{"code": " "}', 200),
    "a file": (b'{"code": "1", "files": [{"filename": "..",'
               b' "b64_data": ""}]}', 200),
}


@pytest.mark.parametrize("form", [NDJSON, SSE])
@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_an_ordinary_reply(client: Client, name: str,
                                        form: str) -> None:
    body, code = REFUSED[name]
    reply = client.request("POST", "/", body, {**JSON, "Accept": form})
    assert reply.status == code, reply.body
    assert reply.header("Content-Type") == "application/json"
    assert not reply.json()["success"] and reply.json()["error"]["message"]


def test_a_file_without_room_is_refused(client: Client) -> None:
    """It is found out after the request was parsed."""
    name = "/".join(["d" * 250] * 12)
    fields = {"code": "1", "files": [
        {"filename": "a", "b64_data": ""},
        {"filename": "a/" + name, "b64_data": ""}]}
    reply = client.request("POST", "/", json.dumps(fields),
                           {**JSON, "Accept": NDJSON})
    assert reply.status == 200
    assert reply.header("Content-Type") == "application/json"
    assert reply.code() == "parsing"


ACCEPTED = {
    "application/json": "application/json",
    "*/*": "application/json",
    "": "application/json",
    "text/html, application/xhtml+xml;q=0.9": "application/json",
    "application/x-ndjson": NDJSON,
    "Application/X-NDJSON ; q=0.5": NDJSON,
    "text/event-stream, */*": SSE,
    "application/json, text/event-stream": "application/json",
    "application/json;q=0.5, text/event-stream": SSE,
    "application/x-ndjson;q=0, text/event-stream;q=0": "application/json",
    "text/event-stream;q=0.1, application/x-ndjson;q=0.15": NDJSON,
    ",,;;q=,application/x-ndjson;;q=x": "application/json",
    "application/x-ndjson-not": "application/json",
}


@pytest.mark.parametrize("accept", ACCEPTED)
def test_the_accept_header(client: Client, accept: str) -> None:
    reply = client.request("POST", "/", b'{"code": "1"}',
                           {**JSON, "Accept": accept})
    assert reply.header("Content-Type") == ACCEPTED[accept]


def test_other_doors_do_not_stream(client: Client) -> None:
    for method, path, body in [
            ("GET", "/packages", None),
            ("POST", "/execute", b'{"user_uuid": "u", "code": "1"}')]:
        reply = client.request(method, path, body, {**JSON, "Accept": NDJSON})
        assert reply.header("Content-Type") == "application/json"


def test_only_streams_are_unbuffered(shared_place: Place) -> None:
    """By the header that nginx obeys and does not pass on."""
    conf = (shared_place.prefix / "terrarium.conf").read_text()
    found = re.search(r"^socket *= *(.+)$", conf, re.M)
    assert found
    peer = FastCgiClient(found[1].strip())
    for accept, unbuffered in [(NDJSON, "no"), ("application/json", None)]:
        reply = peer.request("POST", "/", b'{"code": "1"}',
                             {"Accept": accept})
        assert reply.status == 200
        assert reply.header("X-Accel-Buffering") == unbuffered


# -- silence


def test_a_keepalive(client: Client, where: dict[str, Any]) -> None:
    begun = time.time()
    out = stream(client, "import time\ntime.sleep(11)\nprint(1)", **where)
    times = [begun] + [event.at for event in out.events]
    assert out.kinds() == ["keepalive", "stdout", "end"]
    assert len(out.of("keepalive")) == 2
    assert 3 < times[1] - times[0] < 8


def test_a_keepalive_while_a_session_is_busy(client: Client) -> None:
    with Stream(client, "import time\nprint(1)\ntime.sleep(7)",
                {"session": "busy"}) as first:
        first.next()
        out = stream(client, "print(2)", session="busy")
        assert out.kinds() == ["keepalive", "stdout", "end"]


def test_a_refusal_after_a_keepalive(client: Client) -> None:
    """The status has been sent, so the end says it."""
    with Stream(client, "import time\nprint(1)\ntime.sleep(9)",
                {"session": "busy"}) as first:
        first.next()
        out = stream(client, "print(2)", session="busy", timeout_ms=6000)
    assert out.kinds() == ["keepalive", "end"]
    assert not out.end()["success"]
    assert out.end()["error"]["code"] == "session_busy"


def test_a_stream_outlives_the_time_limits_of_nginx(place: Place) -> None:
    """Its keepalives are no silence for nginx. A whole answer's run is given
    up meanwhile."""
    client, _ = begin(place, "")
    path = place.prefix / "nginx.conf"
    text, changes = re.subn(
        r"(fastcgi_read_timeout|\tsend_timeout) \d+s;", r"\1 7s;",
        path.read_text())
    assert changes > 1
    path.write_text(text)
    reload_nginx(place)
    code = "import time\ntime.sleep(12)\nprint(1)"
    out = stream(client, code)
    assert out.text("stdout") == "1\n" and out.end()["success"]
    assert client.post({"code": code}).status == 504


# -- clients that leave, and slow ones


def test_a_client_that_leaves(client: Client, status: Status,
                              where: dict[str, Any]) -> None:
    wait_until(lambda: status.busy() == 0, 20, "the pool is idle")
    with Stream(client, SLEEP, where) as opened:
        opened.next()
        wait_until(lambda: status.busy() == 1, 10, "it runs")
    wait_until(lambda: status.busy() == 0, 10, "the run has ended")
    if where:
        reply = whole(client, "1", session_must_exist=True, **where)
        assert reply["session"]["state"] == "kept"


def test_a_client_that_leaves_over_http2(
        shared_place: Place, client: Client, status: Status) -> None:
    wait_until(lambda: status.busy() == 0, 20, "the pool is idle")
    child = curl(client, shared_place.assignments()["TERRARIUM_CACERT"], SLEEP)
    assert child.stdout and child.stdout.readline()
    wait_until(lambda: status.busy() == 1, 10, "it runs")
    child.kill()
    child.wait(10)
    wait_until(lambda: status.busy() == 0, 10, "the run has ended")


ENDLESS = "while True: print('x' * 1000)"


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server that keeps, and so streams, far more than any buffer."""
    folder = tmp_path_factory.mktemp("wide")
    folder.chmod(0o755)
    place = Place(folder)
    begin(place, "sessions.max=4;sessions.evict_after_s=0;limits.output_kb=1000000;"
          "limits.flood_mb=1000;limits.files_out_mb=64;"
          f"server.send_timeout_ms={SEND_S * 1000}")
    yield place
    place("stop")


@pytest.fixture
def wide_status(wide: Place) -> Status:
    return Status(wide.assignments()["TERRARIUM_STATUS_URL"])


def test_a_client_that_reads_nothing(wide: Place, wide_status: Status,
                                     where: dict[str, Any]) -> None:
    with Stream(wide.client(), ENDLESS, where) as opened:
        wait_until(lambda: wide_status.busy() == 1, 10, "it runs")
        wait_until(lambda: wide_status.busy() == 0, 25, "it was given up")
        assert broken(opened)
    log = (wide.prefix / "log/terrarium.log").read_text()
    assert "stream given up" in log


def test_a_file_that_is_not_read(wide: Place, wide_status: Status) -> None:
    """The run is over; only its answer waits."""
    with Stream(wide.client(), "open('f', 'wb').truncate(40 << 20)") as opened:
        wait_until(lambda: wide_status.busy() == 1, 10, "it runs")
        wait_until(lambda: wide_status.busy() == 0, 25, "it was given up")
        assert broken(opened)


def test_a_client_that_reads_a_trickle(wide: Place,
                                       wide_status: Status) -> None:
    """It takes some bytes within each deadline, and does not get past the
    run's own and that of a megabyte."""
    begun = time.monotonic()
    with Stream(wide.client(), ENDLESS, {"timeout_ms": 2000}) as opened:
        wait_until(lambda: wide_status.busy() == 1, 10, "it runs")
        while wide_status.busy() and time.monotonic() - begun < 40:
            opened.answer.read(100)
            time.sleep(0.2)
        assert wide_status.busy() == 0
        assert broken(opened)


def test_a_pause_of_the_reader(wide: Place, where: dict[str, Any]) -> None:
    """The program waits meanwhile, and nothing is lost."""
    count = 20000
    with Stream(wide.client(), f"for i in range({count}): print(i, 'x' * 500)",
                where) as opened:
        time.sleep(1)
        out = Streamed(list(opened.events()))
    assert out.text("stdout") == "".join(
        f"{i} {'x' * 500}\n" for i in range(count))
    assert out.end()["success"]


def test_large_files(wide: Place) -> None:
    out = stream(wide.client(), "import os\n"
                 "open('f', 'wb').write(os.urandom(1000) * 5001)\n"
                 "open('g', 'wb').truncate(10 << 20)")
    files = {line["filename"]: base64.b64decode(line["b64_data"],
                                                validate=True)
             for line in out.of("file")}
    assert files["f"] == files["f"][:1000] * 5001
    assert files["g"] == bytes(10 << 20)


def test_a_large_rich_value(wide: Place, where: dict[str, Any]) -> None:
    out = stream(wide.client(), "display({'text/plain': 'x' * (9 << 20)}, "
                 "raw=True)\nprint(1)", results=True, **where)
    assert set(out.kinds()) == {"result", "stdout", "end"}
    assert out.of("result")[0]["text"] == "x" * (9 << 20)


# -- faults


def test_a_worker_that_dies(client: Client, status: Status,
                            may_kill: None) -> None:
    """The answer is cut short, and does not look complete."""
    wait_until(lambda: status.busy() == 0, 20, "the pool is idle")
    with Stream(client, SLEEP) as opened:
        opened.next()
        wait_until(lambda: status.busy() == 1, 10, "it runs")
        worker, = status.workers("busy")
        os.kill(worker, signal.SIGKILL)
        assert broken(opened)


@pytest.fixture
def may_kill(shared_place: Place) -> None:
    pid = int((shared_place.prefix / "terrariumd.pid").read_text())
    try:
        os.kill(pid, 0)
    except PermissionError:
        pytest.skip("not allowed to signal the server")


# -- time


@pytest.mark.timed
def test_the_first_byte(wide: Place, where: dict[str, Any]) -> None:
    """From the print to the client, median of 30."""
    with Stream(wide.client(), "import time\nfor i in range(30):\n"
                "    time.sleep(0.03)\n    print(time.time())",
                where) as opened:
        late = sorted(event.at - float(event.fields["text"])
                      for event in opened.events()
                      if event.fields["type"] == "stdout")
    print(f"median {late[15] * 1000:.1f} ms, worst {late[-1] * 1000:.1f} ms")
    assert len(late) == 30 and late[15] < 0.05


LINES = "for i in range(1000000): print(i)"


def memory_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("RssAnon:")[2].split()[0])


def through_a_pipe() -> float:
    begun = time.monotonic()
    subprocess.run(["/usr/bin/python3", "-c", LINES], check=True,
                   stdout=subprocess.PIPE)
    return time.monotonic() - begun


@pytest.mark.timed
def test_a_million_lines(wide: Place, wide_status: Status,
                         where: dict[str, Any]) -> None:
    """Half as fast as the same program with its output in a pipe, at least,
    and the worker's memory does not grow with what it passes on."""
    ratios = []
    for _ in range(3):
        pipe = through_a_pipe()
        begun, most, size, events = time.monotonic(), 0, 0, 0
        with Stream(wide.client(), LINES, where) as opened:
            for event in opened.events():
                size += len(event.fields.get("text", ""))
                events += 1
                if events % 50 == 1 and event.fields["type"] != "end":
                    for worker in wide_status.workers("busy"):
                        most = max(most, memory_kb(worker))
        assert size == 6888890
        ratios.append(pipe / (time.monotonic() - begun))
        print(f"{ratios[-1]:.2f} times a pipe's speed, {events} events, "
              f"{most} kB")
        assert 0 < most < 4096
        if ratios[-1] >= 0.5:
            return
    assert False, ratios


@pytest.mark.timed
def test_a_silent_run_ends_within_a_second(
        client: Client, status: Status, where: dict[str, Any]) -> None:
    took = []
    for _ in range(3):
        wait_until(lambda: status.busy() == 0, 20, "the pool is idle")
        with Stream(client, SLEEP, where) as opened:
            opened.next()
            wait_until(lambda: status.busy() == 1, 10, "it runs")
        took.append(wait_until(lambda: status.busy() == 0, 20, "it ends"))
        if took[-1] < 1:
            return
    assert False, took
