# expect: ok
# Look into other processes, or be looked into.
for request in (0, 16, 0x4206):  # TRACEME, ATTACH, SEIZE
    for pid in (0, 1, 3):
        no_call("ptrace", request, pid, 0, 0)
buffer = ctypes.create_string_buffer(64)
for name in ("process_vm_readv", "process_vm_writev"):
    no_call(name, 1, buffer, 1, buffer, 1, 0)
no_call("kcmp", 1, 2, 0, 0, 0)
