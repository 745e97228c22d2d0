# expect: ok
# Filters of one's own, and who is told of what they catch.
no_call("seccomp", 1, 8, 0)
no_call("seccomp", 0, 0, 0)
no_call("seccomp", 1, 0, ctypes.create_string_buffer(16))
no_call("landlock_create_ruleset", 0, 0, 1)
no_call("landlock_restrict_self", 3, 0)
