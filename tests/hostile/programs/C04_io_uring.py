# expect: ok
# Opens files and sockets behind the filter's back.
parameters = ctypes.create_string_buffer(256)
no_call("io_uring_setup", 8, parameters)
no_call("io_uring_enter", 3, 1, 1, 0, 0, 0)
no_call("io_uring_register", 3, 0, 0, 0)
