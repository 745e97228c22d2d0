"""The client for asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, Awaitable, Callable, List

import pytest
import samples
import toolbox
from odd_server import Visit, hang_up, odd_server
from terrarium import (About, AsyncTerrarium, BadRequest, Called, Display,
                       Displayed, End, NotSendable, ProgramRaised, Stdout,
                       Terrarium, Unreachable, sandboxed)

Ask = Callable[[AsyncTerrarium], Awaitable[Any]]


@pytest.fixture
def ask(settings: Any) -> Callable[[Ask], Any]:
    """Run a coroutine with a client of the server."""
    def run(body: Ask) -> Any:
        async def all_of_it() -> Any:
            async with AsyncTerrarium(settings.url, settings.token,
                                      ca_file=settings.cacert) as client:
                return await body(client)
        return asyncio.run(all_of_it())
    return run


def test_each_method(ask: Any, terrarium: Terrarium) -> None:
    async def body(client: AsyncTerrarium) -> None:
        result = await client.run("print(input())\n1 + 1", stdin="x\n")
        assert (result.stdout, result.value) == ("x\n", 2)
        assert await client.call(samples.add, a=1) == 3
        called = await client.apply(toolbox.Tools.area, [2])
        assert isinstance(called, Called) and called.value == 20
        shown = await client.run("display(1)", forms=["html"])
        assert shown.displays[0].data == {"text/plain": "1"}
        events = [event async for event in client.stream(
            "display(1)", forms=["html"])]
        assert events[0] == Displayed(Display({"text/plain": "1"}))
        assert await client.health()
        assert await client.packages() == terrarium.packages()
        assert isinstance(await client.about(), About)
        assert await client.limits() == terrarium.limits()
        assert repr(client).startswith("<AsyncTerrarium https://")
        with pytest.raises(ProgramRaised):
            await client.run("1 / 0", check=True)
        with pytest.raises(NotSendable):
            await client.call(samples.add, a=object())
        with pytest.raises(BadRequest):
            await client.run("1", env={"LD_PRELOAD": "x"})
    ask(body)


def test_calls_run_side_by_side(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        found = await asyncio.gather(*(client.call(samples.add, a=n)
                                       for n in range(20)))
        assert found == [n + 2 for n in range(20)]
    ask(body)


def test_the_loop_goes_on_meanwhile(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        run = asyncio.ensure_future(client.run("import time; time.sleep(0.5)"))
        turns = 0
        while not run.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert turns > 3 and (await run).success
    ask(body)


def test_a_cancelled_call_closes_its_connection() -> None:
    seen: List[bytes] = []
    asked, closed = threading.Event(), threading.Event()

    def script(visit: Visit) -> None:
        asked.set()
        seen.append(visit.sock.recv(1))
        closed.set()
        hang_up(visit)

    async def body(url: str) -> None:
        async with AsyncTerrarium(url) as client:
            call = asyncio.ensure_future(client.run("1"))
            await asyncio.to_thread(asked.wait, 10)
            begun = time.monotonic()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert time.monotonic() - begun < 5
            assert await asyncio.to_thread(closed.wait, 10)

    with odd_server(script) as odd:
        asyncio.run(body(odd.url))
    assert seen == [b""] and odd.connections == 1


def test_a_call_with_a_timeout_of_the_loop(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.run("while True: pass"), 0.3)
        assert (await client.run("1")).value == 1  # its connections are whole
    ask(body)


def test_streams(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        events = [event async for event in client.stream(
            "print('a')\nopen('f', 'w').write('x')\n2")]
        assert Stdout("a\n") in events
        end = events[-1]
        assert isinstance(end, End) and end.result.value == 2
        assert end.result.files == {"f": b"x"}
        with pytest.raises(BadRequest):
            async for _ in client.stream("1", env={"LD_PRELOAD": "x"}):
                pass
    ask(body)


def test_a_stream_that_is_left_closes_its_connection() -> None:
    seen: List[bytes] = []
    closed = threading.Event()

    def script(visit: Visit) -> None:
        line = b'{"type":"stdout","text":"x"}\n'
        visit.send("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n")
        visit.send(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        seen.append(visit.sock.recv(1))
        closed.set()
        hang_up(visit)

    async def body(url: str, leave: str) -> None:
        async with AsyncTerrarium(url) as client:
            events = client.stream("1")
            assert await events.__anext__() == Stdout("x")
            if leave == "close":
                await events.aclose()
            else:
                task = asyncio.ensure_future(events.__anext__())
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert await asyncio.to_thread(closed.wait, 10)

    for leave in ("close", "cancel"):
        closed.clear()
        with odd_server(script) as odd:
            asyncio.run(body(odd.url, leave))
    assert seen == [b"", b""]


def test_sessions(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        if not (await client.about()).sessions:
            pytest.skip("sessions are switched off")
        async with client.session() as session:
            assert (await session.run("x = 1")).session == "new"
            assert (await session.run("x")).value == 1
            branch = await session.fork()
            assert (await branch.run("x + 1")).value == 2
            assert session.id in repr(session)
            events = [event async for event in session.stream("x")]
            assert events[-1].result.value == 1
            await branch.release()
        assert (await client.session(session.id).run("1")).session == "new"
    ask(body)


def test_the_decorator_makes_coroutines(ask: Any) -> None:
    async def body(client: AsyncTerrarium) -> None:
        @sandboxed(client)  # type: ignore[arg-type]
        def double(x: int) -> Any:
            return x * 2

        @sandboxed(client)  # type: ignore[arg-type]
        async def triple(x: int) -> Any:
            return x * 3
        assert await asyncio.gather(double(1), triple(2)) == [2, 6]
    ask(body)


def test_no_server() -> None:
    async def body() -> None:
        client = AsyncTerrarium("http://127.0.0.1:1", retries=0)
        with pytest.raises(Unreachable):
            await client.run("1")
        await client.close()
    asyncio.run(body())
