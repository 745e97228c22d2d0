# expect: ok
# More than was given.
import resource

for name in dir(resource):
    if not name.startswith("RLIMIT_"):
        continue
    which = getattr(resource, name)
    soft, hard = resource.getrlimit(which)
    more = hard + 1 if hard >= 0 else hard
    attempt(resource.setrlimit, which, (more, more))
    attempt(resource.prlimit, 0, which, (more, more))
    attempt(resource.prlimit, 1, which, (more, more))
    tell(resource.getrlimit(which) != (soft, hard), name, soft, hard)
tell(resource.getrlimit(resource.RLIMIT_CORE) != (0, 0), "core files")
no_call("setrlimit", 4, ctypes.create_string_buffer(16))
