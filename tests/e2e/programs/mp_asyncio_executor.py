# expect: success
# stdout: "[1, 4, 9]\n"
import asyncio
from concurrent.futures import ProcessPoolExecutor


def square(x):
    return x * x


async def main():
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(2) as pool:
        print(await asyncio.gather(*(
            loop.run_in_executor(pool, square, n) for n in (1, 2, 3))))


if __name__ == "__main__":
    asyncio.run(main())
