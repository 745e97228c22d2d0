# expect: ok
# Large interfaces that nobody here needs.
for name, words in (("userfaultfd", (0,)), ("bpf", (0, 0, 0)),
                    ("perf_event_open", (0, 0, -1, -1, 0)),
                    ("keyctl", (0, -3, 0, 0, 0)),
                    ("add_key", (b"user", b"a", b"b", 1, -3)),
                    ("request_key", (b"user", b"a", b"b", -3)),
                    ("fanotify_init", (0, 0)), ("inotify_init1", (0,)),
                    ("signalfd4", (-1, b"\0" * 8, 8, 0)),
                    ("timerfd_create", (1, 0)), ("timer_create", (1, 0, 0)),
                    ("memfd_secret", (0,)), ("membarrier", (0, 0, 0)),
                    ("io_setup", (1, 0)), ("lookup_dcookie", (0, 0, 0)),
                    ("rseq_slice_yield", ()), ("map_shadow_stack", (0,))):
    no_call(name, *words)
