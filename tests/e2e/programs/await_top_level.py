# expect: success
# stdout: "slept\n"
# final: 42
import asyncio
await asyncio.sleep(0.01)
print("slept")
await asyncio.sleep(0, 42)
