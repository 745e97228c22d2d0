# expect: ok
# The time and the name of the host.
for name, words in (("settimeofday", (0, 0)), ("clock_settime", (0, 0)),
                    ("adjtimex", (0,)), ("clock_adjtime", (0, 0)),
                    ("sethostname", (b"x", 1)),
                    ("setdomainname", (b"x", 1))):
    no_call(name, *words)
refused(time.clock_settime, time.CLOCK_REALTIME, 0.0)
