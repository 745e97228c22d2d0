# expect: failure
# exit-code: 139
# error: killed
# message-has: "signal 11"
import ctypes
ctypes.string_at(0)
