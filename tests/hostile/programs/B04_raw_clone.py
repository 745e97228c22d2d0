# expect: ok
# A second process, past the library; only threads may be made.
SIGCHLD = 17
for name, flags in (("vfork", None), ("fork", None), ("clone", SIGCHLD),
                    ("clone", 0x100 | SIGCHLD),  # CLONE_VM
                    ("clone", 0x10000000 | SIGCHLD),  # a user namespace
                    ("clone", 0x20020000 | SIGCHLD),  # pid and mount
                    ("clone", 0x3d0f00 | 0x10000000),
                    ("clone", 0x3d0f00 | 0x8000),  # CLONE_PARENT
                    ("clone", 0x3d0f00 | 1 << 32),
                    ("clone", 0x3d0f00 & ~0x10000)):  # no CLONE_THREAD
    words = () if flags is None else (flags, 0, 0, 0, 0)
    got = call(name, *words)
    if got[0] == 0:
        os._exit(0)
    tell(got[0] >= 0, name, flags, got)
