# expect: success
# final: [0, 1, 2]


async def count():
    for i in range(3):
        yield i


class Guard:
    async def __aenter__(self):
        return 1

    async def __aexit__(self, *_):
        return False


out = []
async with Guard():
    async for i in count():
        out.append(i)
out
