# expect: success
# final: [1, 4, 9]
import asyncio


async def square(x):
    await asyncio.sleep(0.001)
    return x * x


await asyncio.gather(*(square(x) for x in (1, 2, 3)))
