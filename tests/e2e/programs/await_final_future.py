# A future of a loop that has ended: its result, or the future itself.
# expect: success
# final: [5, "<Future pending>"]
import asyncio

loop = asyncio.new_event_loop()
done = loop.create_future()
done.set_result(5)
pending = loop.create_future()


class Both:
    def __await__(self):
        result = yield from done.__await__()
        return [result, repr(pending)]


Both()
