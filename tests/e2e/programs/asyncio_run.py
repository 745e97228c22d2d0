# expect: success
# final: 7
import asyncio


async def main():
    await asyncio.sleep(0.001)
    return 7


asyncio.run(main())
