# expect: ok
# Other ids, capabilities, groups.
for name, words in (("setuid", (0,)), ("setresuid", (0, 0, 0)),
                    ("setreuid", (0, 0)), ("setgid", (0,)),
                    ("setresgid", (0, 0, 0)), ("setgroups", (0, 0)),
                    ("capset", (0, 0))):
    no_call(name, *words)
for name in ("setfsuid", "setfsgid"):
    call(name, 0)
    tell(call(name, 0)[0] == 0, name)
ids = os.getuid(), os.geteuid(), os.getgid(), os.getegid()
tell(0 in ids, ids)
no_call("getresuid", 0, 0, 0)
tell(0 in os.getgroups(), os.getgroups())
