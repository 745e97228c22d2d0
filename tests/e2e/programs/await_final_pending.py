# A future of another loop cannot be awaited here: it is a value.
# expect: success
# final-like: ^<Future pending>$
import asyncio

asyncio.new_event_loop().create_future()
