# expect: failure
# error: PermissionError
# told: ["cannot be started here"]
# cut
import asyncio
async def run():
    p = await asyncio.create_subprocess_shell("echo hi", stdout=asyncio.subprocess.PIPE)
    return (await p.communicate())[0]
print(asyncio.run(run()))
