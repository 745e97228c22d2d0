# A cell below other lines, in which coroutines are awaited.
# expect: success
# stdout-like: ^CPU times.*Wall time
# final: 5
# cut
import asyncio
%%time
await asyncio.sleep(0)
5
