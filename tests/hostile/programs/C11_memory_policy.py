# expect: ok
# Where memory lies.
for name in ("mbind", "set_mempolicy", "move_pages", "migrate_pages",
             "set_mempolicy_home_node", "get_mempolicy", "mincore",
             "mlock", "mlockall", "mlock2"):
    no_call(name, 0, 4096, 0, 0, 0, 0)
for advice in (9, 12, 13, 20, 21, 22, 23, 24, 25, 100, 101, 102):
    no_call("madvise", 0, 0, advice)
