# One event loop from the first statement to the last expression.
# expect: success
# final: "later"
import asyncio
task = asyncio.ensure_future(asyncio.sleep(0.01, "later"))
await asyncio.sleep(0)
await task
