# expect: ok
# Undo what holds: the parent's death, dumpability, privileges.
options = {"PDEATHSIG": (1, 0), "DUMPABLE": (4, 1), "KEEPCAPS": (8, 1),
           "SECCOMP": (22, 1), "SECUREBITS": (28, 0), "MM": (35, 1),
           "SUBREAPER": (36, 1), "NO_NEW_PRIVS": (38, 0),
           "CAP_AMBIENT": (47, 2), "USER_DISPATCH": (59, 1),
           "MDWE": (65, 0), "CORE_SCHED": (62, 0),
           "SPECULATION": (53, 0), "TIMERSLACK": (29, 1),
           "THP_DISABLE": (41, 1), "PTRACER": (0x59616d61, -1),
           "CAPBSET_READ": (23, 0), "TSC": (26, 2)}
for option, value in options.values():
    no_call("prctl", option, value, 0, 0, 0)
no_call("arch_prctl", 0x1012, 0)
