# expect: failure
# error: ValueError
# line: 10
# message-has: "in fail"
import asyncio


async def fail():
    await asyncio.sleep(0)
    raise ValueError("async")


await fail()
