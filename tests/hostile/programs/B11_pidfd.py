# expect: ok
# Processes by descriptor.
for name, words in (("pidfd_open", (1, 0)), ("pidfd_open", (2, 0)),
                    ("pidfd_getfd", (3, 3, 0)),
                    ("pidfd_send_signal", (3, 9, 0, 0)),
                    ("process_madvise", (3, 0, 0, 0, 0)),
                    ("process_mrelease", (3, 0))):
    no_call(name, *words)
