# expect: success
# stdout: "loop done\n"
# cut
import asyncio

async def main():
    await asyncio.sleep(0)
    return "loop done"

try:
    loop = asyncio.get_running_loop()
except RuntimeError:
    loop = None
if loop and loop.is_running():
    print(await main())
else:
    print(asyncio.run(main()))
