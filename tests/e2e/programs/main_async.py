# expect: success
# arguments: {"n": 20}
# final: 21
import asyncio


async def main(n):
    await asyncio.sleep(0.001)
    return n + 1
