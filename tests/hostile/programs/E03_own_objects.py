# expect: ok
# What the interpreter knows of its runner.
import gc

frames, frame = [], sys._getframe()
while frame:
    frames.append((frame.f_code.co_filename, frame.f_code.co_name))
    for value in list(frame.f_locals.values()):
        if type(value).__name__ in ("socket", "epoll"):
            tell(True, "a runner's", value)
    frame = frame.f_back
UP = bytes((i + 1) & 255 for i in range(256))


def secret(text):
    raised = text.encode("utf-8", "replace").translate(UP)
    return any(word in raised for word in SECRETS)


found = []
for thing in gc.get_objects():
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, (list, tuple)):
        found += [text for text in thing if type(text) is str and
                  len(text) < 100000 and secret(text)]
tell(found, len(found), frames)
kinds = {type(thing).__name__ for thing in gc.get_objects()}
tell(kinds & {"socket", "epoll", "SSLContext"}, "no socket")
