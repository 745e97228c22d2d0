# Tasks, time-outs, queues, executors, streams on a pair, signals, TaskGroup.
import asyncio
import os
import signal
import socket


async def work(n):
    await asyncio.sleep(0.01)
    return n * 2


async def main_part():
    loop = asyncio.get_running_loop()
    result = {"gather": await asyncio.gather(*map(work, range(5)))}
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.01)
    except asyncio.TimeoutError:
        result["timeout"] = True
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(n)) for n in range(3)]
    result["group"] = [task.result() for task in tasks]
    result["executor"] = await loop.run_in_executor(None, sum, [1, 2, 3])
    result["to_thread"] = await asyncio.to_thread(len, "four")
    one, two = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=one)
    reader2, writer2 = await asyncio.open_connection(sock=two)
    writer.write(b"hello\n")
    await writer.drain()
    result["stream"] = (await reader2.readline()).decode()
    for each in (writer, writer2):
        each.close()
        await each.wait_closed()
    got = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, got.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(got.wait(), 5)
    result["signal"] = got.is_set()
    receiving, sending = os.pipe()
    ready = loop.create_future()
    loop.add_reader(receiving, lambda: ready.set_result(
        os.read(receiving, 5).decode()))
    os.write(sending, b"bytes")
    result["pipe"] = await ready
    loop.remove_reader(receiving)
    os.close(receiving)
    os.close(sending)
    return result

asyncio.run(main_part())
# expected: {
#   "gather": [0, 2, 4, 6, 8],
#   "timeout": true,
#   "group": [0, 2, 4],
#   "executor": 6,
#   "to_thread": 4,
#   "stream": "hello\n",
#   "signal": true,
#   "pipe": "bytes"
# }
