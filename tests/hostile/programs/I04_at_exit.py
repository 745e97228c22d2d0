# expect: timeout|ok timeout_ms=1000
# The end that does not end.
import atexit


@atexit.register
def forever():
    while True:
        time.sleep(1)


print("before")
