# expect: ok
# What the kernel would keep after us.
no_call("add_key", b"user", b"left", b"v", 1, -5)
no_call("shmget", 0x1234, 4096, 0o1666)
no_call("mq_open", b"left", 0o102, 0o666, 0)
refused(open, "/dev/shm/left", "w")
refused(open, "/dev/mqueue/left", "w")
