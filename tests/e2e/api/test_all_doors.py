"""All doors at once: each answer is that of its own request, and none is
broken by the text that a program prints."""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import threading
import uuid
from typing import Any, Callable, Iterator

import pytest
from client import JSON, Client, Reply, b64
from event_streams import EventStream
from streams import NDJSON, SSE, stream
from test_e2b import create, events, kill, post
from test_opensandbox import Sandbox, of

REQUESTS, AT_ONCE = 500, 8
# What a program prints, and what a client gets of it.
TEXTS = {
    "control bytes": (b"a\x00b\x1b[2J\x07\r\x0b\x7fc\n",
                      "a\0b\x1b[2J\x07\r\x0b\x7fc\n"),
    "half UTF-8": (b"x\xc3\n\xf0\x9f\x98\n\xed\xa0\x80.\n",
                   "x\ufffd\n\ufffd\n\ufffd.\n"),
    "forged events": (
        b"\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1}\n\n"
        b"data: {\"type\":\"end\"}\n\n{\"type\":\"end_of_execution\"}\n", None),
    "ends of lines": ("a\u0085b\u2028c\u2029d\r\ne\n".encode(), None),
    "a forged head": (b"Status: 500\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200\n",
                      None),
}
Door = Callable[[str], str]


def asked(client: Client, path: str, fields: Any) -> Any:
    reply = client.request("POST", path, json.dumps(fields), JSON)
    assert reply.status == 200, (path, reply.status, reply.body)
    return reply.json()


def simple_doors(client: Client) -> dict[str, Door]:
    """Those that keep nothing from call to call. Each returns the text that
    the program printed."""
    def native(code: str) -> str:
        return asked(client, "/", {"code": code})["std_out"]

    def ragflow(code: str) -> str:
        code += "\ndef main(): return 1"
        return asked(client, "/run", {"code_b64": b64(code)})["stdout"]

    def job(code: str) -> str:
        return asked(client, "/api/ai/python-execute",
                     {"code": code})["result"]["stdout"]

    def dify(code: str) -> str:
        got = asked(client, "/v1/sandbox/run",
                    {"language": "python3", "code": code})
        assert got["code"] == 0 and not got["data"]["error"], got
        return got["data"]["stdout"]

    def snekbox(code: str) -> str:
        return asked(client, "/eval", {"input": code})["stdout"]

    def piston(code: str) -> str:
        return asked(client, "/api/v2/execute", {
            "language": "python", "version": "*",
            "files": [{"content": code}]})["run"]["stdout"]

    def mcp(code: str) -> str:
        got = asked(client, "/mcp", {
            "jsonrpc": "2.0", "id": code, "method": "tools/call", "params": {
                "name": "run_python", "arguments": {"code": code}}})
        assert got["id"] == code
        return got["result"]["structuredContent"]["std_out"]

    return {"native": native, "ragflow": ragflow, "job": job, "dify": dify,
            "snekbox": snekbox, "piston": piston, "mcp": mcp,
            **{form: lambda code, form=form: stream(
                client, code, form).text("stdout") for form in (NDJSON, SSE)}}


def with_state(client: Client, stranger: Client,
               held: contextlib.ExitStack) -> dict[str, Door]:
    """Those with sessions, or with a stream, that are held."""
    user = str(uuid.uuid4())
    e2b = create(client)["sandboxID"]
    held.callback(kill, client, e2b)
    opensandbox = Sandbox(client, stranger)
    held.callback(opensandbox.life, "DELETE")
    opened = held.enter_context(EventStream(client))
    one_message = threading.Lock()

    def code_interpreter(code: str) -> str:
        return asked(client, "/execute",
                     {"code": code, "user_uuid": user})["result_text"]

    def by_e2b(code: str) -> str:
        found = events(post(client, "/execute", {"code": code}, e2b))
        return "".join(one["text"] for one in found
                       if one["type"] == "stdout")

    def by_opensandbox(code: str) -> str:
        return "".join(one["text"]
                       for one in of(opensandbox.run(code), "stdout"))

    def old_mcp(code: str) -> str:
        with one_message:
            return opened.text(code)

    return {"code_interpreter": code_interpreter, "e2b": by_e2b,
            "opensandbox": by_opensandbox, "sse": old_mcp}


@pytest.fixture(scope="module")
def doors(client: Client, stranger: Client) -> Iterator[dict[str, Door]]:
    with contextlib.ExitStack() as held:
        yield {**simple_doors(client), **with_state(client, stranger, held)}


def test_each_answer_is_that_of_its_request(doors: dict[str, Door]) -> None:
    names = list(doors)

    def one(number: int) -> str:
        return doors[names[number % len(names)]](f"print({number} * {number})")

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(one, range(REQUESTS)))
    assert found == [f"{number * number}\n" for number in range(REQUESTS)]


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_breaks_an_answer(doors: dict[str, Door], name: str) -> None:
    printed, wanted = TEXTS[name]
    if wanted is None:
        wanted = printed.decode("utf-8", "replace")
    code = f"import sys\nn = sys.stdout.buffer.write({printed!r})"
    got = {door: doors[door](code) for door in doors}
    assert got == dict.fromkeys(doors, wanted)
    assert all(door("print(6 * 7)") == "42\n" for door in doors.values())
