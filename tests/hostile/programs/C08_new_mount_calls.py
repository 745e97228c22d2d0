# expect: ok
# Mounts by descriptor.
no_call("fsopen", b"tmpfs", 0)
for name in ("fsconfig", "fsmount", "open_tree", "move_mount",
             "mount_setattr", "fspick", "statmount", "listmount",
             "open_tree_attr", "quotactl_fd"):
    no_call(name, 0, 0, 0, 0, 0, 0)
