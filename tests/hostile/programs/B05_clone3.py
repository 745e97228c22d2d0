# expect: ok
# What no filter can look into must not exist; threads still must.
import threading

words = ctypes.create_string_buffer(b"\0\0\x02\x10" + b"\0" * 84, 88)
got = call("clone3", words, 88)
if got[0] == 0:
    os._exit(0)
tell(got != (-1, "ENOSYS"), got)
seen = []
thread = threading.Thread(target=seen.append, args=(1,))
thread.start()
thread.join()
tell(seen != [1], "threads work")
