# needs: filelock
# expect: success
# final: [true, "Timeout", true]
# files-out: {"data.lock": ""}
from filelock import FileLock, SoftFileLock, Timeout

lock, other = FileLock("data.lock"), FileLock("data.lock", timeout=0.05)
told = []
with lock:
    told.append(lock.is_locked)
    try:
        other.acquire()
    except Timeout as error:
        told.append(type(error).__name__)
with other, SoftFileLock("soft.lock"):
    told.append(other.is_locked)
told
