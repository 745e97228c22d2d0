# expect: ok
# A forbidden ioctl, or fcntl, hidden behind bits that the kernel drops.
for number in range(4):
    for request in (0x5412, 0x541c, 0x540e, 0x5410, 0x5423, 0x8912):
        for high in (0, 1 << 32, 1 << 62, -1 << 63):
            no_call("ioctl", number, request | high, b"x" * 64)
    for request in (8, 10, 36, 1024, 1026, 1031, 1033):
        for high in (0, 1 << 32):
            no_call("fcntl", number, request | high, 1)
    for request in (37, 38):  # a lock that is not taken: A15
        no_call("fcntl", number, request | 1 << 32, 1)
