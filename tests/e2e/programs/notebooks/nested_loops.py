# After nest_asyncio.apply() a loop runs again while it runs, as in notebooks.
# expect: success
# without: nest_asyncio
# stdout: "1\n[1, 3, 5]\ncaught 'x'\n(7, 4, True)\n"
# final: 9
# cut
import asyncio

import nest_asyncio

nest_asyncio.apply()


async def leaf(n):
    await asyncio.sleep(0.001)
    return n


def twice(n):
    loop = asyncio.get_event_loop()
    return asyncio.run(leaf(n)) + loop.run_until_complete(leaf(n + 1))


async def outer(n):
    return twice(n)


async def fails():
    asyncio.run(leaf(1))
    raise KeyError("x")


async def group():
    async with asyncio.TaskGroup() as tasks:
        first, second = tasks.create_task(outer(3)), tasks.create_task(leaf(4))
    return first.result(), second.result(), asyncio.current_task() is not None


print(asyncio.run(leaf(1)))
print(await asyncio.gather(*(outer(n) for n in range(3))))
try:
    asyncio.run(fails())
except KeyError as exc:
    print("caught", exc)
print(asyncio.run(group()))
twice(4)
