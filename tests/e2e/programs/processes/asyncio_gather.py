# expect: success
# stdout: "[0, 10, 20, 30, 40]\nconcurrent: True\nx\n"
# cut
import asyncio
import time

async def fetch(n, delay):
    await asyncio.sleep(delay)
    return n * 10

async def main():
    start = time.perf_counter()
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(fetch(i, 0.05)) for i in range(5)]
    print([t.result() for t in tasks])
    print('concurrent:', time.perf_counter() - start < 0.2)
    queue = asyncio.Queue()
    await queue.put('x')
    print(await asyncio.wait_for(queue.get(), 1))

asyncio.run(main())
