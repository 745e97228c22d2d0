# The same where the program awaits at its top, and in a task of its own, which
# the loop calls.
# expect: success
# final: [["f", "<module>"], true, "GeneratorExit", "CancelledError"]
import asyncio
import inspect


async def f():
    await asyncio.sleep(0)
    return [frame.function for frame in inspect.stack()]


async def g():
    await asyncio.sleep(0)
    return all("terrarium" not in frame.filename for frame in inspect.stack())


async def caught():
    try:
        await asyncio.sleep(10)
    except BaseException as exc:
        return type(exc).__name__


def closed():
    left = []

    async def waits():
        try:
            await asyncio.sleep(10)
        except BaseException as exc:
            left.append(type(exc).__name__)
            raise

    coroutine = waits()
    coroutine.send(None)
    coroutine.close()
    return left[0]


task = asyncio.create_task(caught())
await asyncio.sleep(0)
task.cancel()
[await f(), await asyncio.create_task(g()), closed(), await task]
