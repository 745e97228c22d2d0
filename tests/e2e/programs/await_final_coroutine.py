# A final value that is awaitable is awaited: main() called last runs.
# expect: success
# final: 42
# stdout: "in main\n"
import asyncio


async def main():
    print("in main")
    await asyncio.sleep(0)
    return 42


main()
