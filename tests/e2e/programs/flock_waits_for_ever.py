# expect: failure
# error: timeout
# timeout_ms: 1500
# message-has: ["fcntl.flock(second, fcntl.LOCK_EX)"]
# files-out: {"a.lock": ""}
# A program that waits for its own lock is stopped at its limit.
import fcntl

first, second = open("a.lock", "w"), open("a.lock")
fcntl.flock(first, fcntl.LOCK_EX)
fcntl.flock(second, fcntl.LOCK_EX)
