"""Checks that every supported Python can use the client: a program without
pytest, which test_packaging.py runs with each one. The server is named by the
environment."""

import asyncio
import datetime
import socket
import sys
import threading
import time
import uuid
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "client")]

import samples  # noqa: E402
from terrarium import (AsyncTerrarium, BadReply, BadReturn,  # noqa: E402
                       ConnectionBroke, End, NotSendable, ProgramRaised,
                       ReplyLate, Terrarium, ToolSandbox, Unreachable,
                       Untrusted, sandboxed)
from terrarium_ragflow import TerrariumProvider  # noqa: E402


def refused(kind, call):
    try:
        call()
    except kind as error:
        assert str(error)
        return error
    raise AssertionError(f"no {kind.__name__}")


def answer_once(data, then=lambda sock: None):
    """The address of a server that sends DATA to one client."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        sock, _ = listener.accept()
        with sock, listener:
            asked = b""
            while not asked.endswith(b"}"):  # of the body
                asked += sock.recv(65536)
            sock.sendall(data)
            then(sock)
            sock.shutdown(socket.SHUT_WR)

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def check_functions(client):
    call = client.call
    assert call(samples.add, a=1) == 3
    assert call(samples.annotated, x=[1]) == [[1], 1]
    assert call(samples.documented, x="x") == "\n  kept as it is\nx"
    assert call(samples.importing, numbers=[1, 2, 6]) == 3
    assert call(samples.main, n=30) == 265252859812191058636308480000000
    assert call(samples.recursive, n=2) == ["end", "of a class", [0, 1]]
    assert call(samples.makes_its_own, x=1) == 2
    assert call(samples.later, x=21) == 42
    assert call(samples.make_free(), x=0) == "no"
    assert call(samples.same, x={"$k": [b"\0\xff", None]}) == \
        {"$k": [b"\0\xff", None]}
    error = refused(ProgramRaised, lambda: call(samples.fails, x=5))
    assert error.traceback.count("File") == 1
    doubled = sandboxed(client)(samples.later)
    assert asyncio.run(doubled(2)) == 4
    assert ToolSandbox(client).execute("t", samples.add, {"a": 1}) == 3


def check_names(client):
    call = client.call
    assert call(samples.uses_setting, x=1) == 6
    assert call(samples.uses_module, x=[1]) == "[1]"
    assert call(samples.uses_both, x=2) == [2, 2]
    assert call(samples.wrapped, x=3) == 3
    assert call(samples.Holder.static, x=4) == 4
    assert call(samples.Holder.of_class, x=5) == 5
    assert call(samples.makes_a_point, x=1) == samples.Point(1, [1])
    assert call(samples.same, x=samples.Row(1)) == samples.Row(1, 2)
    value = [{1, (2, 3)}, {4: b"x"}, Decimal("1.0"), datetime.date(2024, 1, 2),
             samples.Color.RED, Path("x"), complex(1, 2), uuid.UUID(int=5),
             datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)]
    assert call(samples.same, x=value) == value
    error = refused(BadReturn, lambda: call(samples.wrong, kind="object"))
    assert "of type object" in str(error)


async def check_async():
    async with AsyncTerrarium.from_environment() as client:
        both = await asyncio.gather(client.run("1"), client.call(
            samples.add, a=1))
        assert both[0].value == 1 and both[1] == 3
        events = [event async for event in client.stream("print(1)")]
        assert isinstance(events[-1], End)
        assert all(one.name for one in await client.packages())
        task = asyncio.ensure_future(client.run("while True: pass"))
        await asyncio.sleep(0.2)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return
        raise AssertionError("not cancelled")


def check_refusals(client):
    for function in (samples.a_lambda, samples.generator, samples.uses_lock,
                     samples.Holder.method, samples.make_closure(1), len):
        refused(NotSendable, lambda: client.call(function))
    assert "`LOCK` of module `samples`" in str(refused(
        NotSendable, lambda: client.call(samples.uses_lock)))
    refused(NotSendable, lambda: client.call(samples.same, x=object()))
    refused(NotSendable, lambda: client.call(samples.same, x=10 ** 5000)) \
        if hasattr(sys, "get_int_max_str_digits") else None


def check_answers():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"
    refused(ConnectionBroke, lambda: Terrarium(
        answer_once(head % 100 + b"{")).run("1"))
    refused(BadReply, lambda: Terrarium(
        answer_once(head % 1 + b"{}")).run("1"))
    refused(BadReply, lambda: Terrarium(
        answer_once(head % 5000000), max_reply_mb=1).run("1"))
    refused(BadReply, lambda: Terrarium(answer_once(
        b"HTTP/1.1 302 Go\r\nLocation: /\r\n\r\n")).run("1"))
    refused(ReplyLate, lambda: Terrarium(answer_once(
        b"", lambda sock: time.sleep(1)), wait=0.2).run("1"))
    line = b'{"type": "stdout", "text": "x"}\n'
    events = Terrarium(answer_once(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Content-Length: 1000\r\n\r\n" + line)).stream("1")
    assert next(events).text == "x"
    events.close()
    closing = Terrarium(answer_once(head % 17 + b'{"success": true}'),
                        retries=0)
    assert closing.run("1").success
    time.sleep(0.1)
    refused(Unreachable, lambda: closing.run("1"))
    body = b'{"success": true, "final_expression": ' + b"12" * 20000 + b"}"
    value = Terrarium(answer_once(head % len(body) + body)).run("1").value
    assert value % 100 == 12 and value.bit_length() > 100000


def main():
    client = Terrarium.from_environment()
    assert client.health()
    result = client.run("print(input())\nopen('f', 'w').write('x')\n2 ** 70",
                        stdin="line", timeout=5, check=True)
    assert (result.stdout, result.value) == ("line\n", 2 ** 70)
    assert result.files == {"f": b"x"}
    assert isinstance(list(client.stream("1"))[-1], End)
    refused(Untrusted, lambda: Terrarium.from_environment(
        ca_file=None).run("1"))
    check_functions(client)
    check_names(client)
    asyncio.run(check_async())
    check_refusals(client)
    check_answers()
    assert TerrariumProvider().get_supported_languages() == ["python"]
    print("ok", sys.version.split()[0])


main()
