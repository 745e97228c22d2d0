# expect: ok
# Out of the group that would be killed.
refused(os.setsid)
refused(os.setpgid, 0, 0)
no_call("setpgid", 0, 1)
no_call("vhangup")
