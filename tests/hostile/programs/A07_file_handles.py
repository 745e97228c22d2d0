# expect: ok
# A file by its inode's number, past all paths ("shocker").
handle = ctypes.create_string_buffer(
    b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0", 24)
no_call("open_by_handle_at", 3, handle, 0)
no_call("open_by_handle_at", -100, handle, 0)
mount = ctypes.c_int()
got = call("name_to_handle_at", -100, b"/usr", handle,
           ctypes.byref(mount), 0)
tell(got[0] == 0, "name_to_handle_at", got)
