# expect: ok
# Memory, semaphores and queues that outlive a process.
for name, words in (("shmget", (0, 4096, 0o1777)),
                    ("shmget", (0x1234, 4096, 0o1777)),
                    ("shmat", (0, 0, 0)), ("semget", (0, 1, 0o1777)),
                    ("msgget", (0, 0o1777)),
                    ("mq_open", (b"q", 0o102, 0o666, 0))):
    no_call(name, *words)
