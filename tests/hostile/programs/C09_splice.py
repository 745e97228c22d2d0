# expect: ok
# Pages without copies: the way of Dirty Pipe.
read, write = os.pipe()
library = os.open(os.__file__, os.O_RDONLY)
for name in ("splice", "tee", "vmsplice"):
    no_call(name, library, 0, write, 0, 1, 0)
no_call("sendfile", write, library, 0, 10)
no_call("copy_file_range", library, 0, write, 0, 10, 0)
