# expect: ok
# Where memory lies.
for name in ("mbind", "set_mempolicy", "move_pages", "migrate_pages",
             "set_mempolicy_home_node", "get_mempolicy", "mincore",
             "mlockall", "mlock2"):
    no_call(name, 0, 4096, 0, 0, 0, 0)
for advice in (9, 12, 13, 20, 21, 22, 23, 24, 25, 100, 101, 102):
    no_call("madvise", 0, 0, advice)
# Mappings that are more than memory: of large pages, that grow by themselves,
# lie locked, vanish, are files of the kernel's.
for kind in (0x40022, 0x00122, 0x02022, 0x28, 0x48028, 0x10022,
             0x100022, 0x00062, 0x21, 0x23, 0x40021):
    no_call("mmap", 0, 4096, 3, kind, -1, 0)
for protection in (4, 5, 6, 7, 8, 0x1000001, 0x2000001):
    no_call("mmap", 0, 4096, protection, 0x22, -1, 0)
    no_call("mprotect", 0, 0, protection)
for flags in (2, 3, 4, 5, 6, 7):
    no_call("mremap", 0, 4096, 4096, flags, 0)
