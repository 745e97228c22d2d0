# expect: ok
# Mount, unmount, exchange the root.
no_call("mount", b"none", b"/", b"", 32 | 4096, 0)
no_call("mount", b"/dev", b"/home/user", b"", 4096, 0)
no_call("mount", b"proc", b"/tmp", b"proc", 0, 0)
no_call("umount2", b"/usr", 2)
no_call("umount2", b"/home/user", 2)
no_call("pivot_root", b".", b".")
no_call("chroot", b".")
