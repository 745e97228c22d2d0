# expect: failure
# needs: aiohttp below:3.12
# error: ClientConnectorError
# told: "network"
# stderr-like: .*
# cut
import aiohttp
import asyncio

async def fetch(url):
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as resp:
            return await resp.text()

print(asyncio.run(fetch("https://example.com")))
