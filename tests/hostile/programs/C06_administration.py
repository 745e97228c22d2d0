# expect: ok
# What the host's administrator does.
for name, words in (("init_module", (0, 0, 0)), ("finit_module", (0, 0, 0)),
                    ("delete_module", (b"x", 0)),
                    ("kexec_load", (0, 0, 0, 0)), ("reboot", (0, 0, 0, 0)),
                    ("swapon", (0, 0)), ("swapoff", (0,)), ("acct", (0,)),
                    ("quotactl", (0, 0, 0, 0)), ("syslog", (10, 0, 0)),
                    ("iopl", (3,)), ("ioperm", (0, 1, 1)),
                    ("modify_ldt", (0, 0, 0)), ("sync", ()),
                    ("syncfs", (0,)), ("sysfs", (1, b"proc")),
                    ("sysinfo", (ctypes.create_string_buffer(256),))):
    no_call(name, *words)
