# expect: failure
# error: killed
# message-has: "signal 11"
import ctypes
ctypes.string_at(0)
