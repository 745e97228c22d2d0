# expect: timeout|crash timeout_ms=1000
# Signals that ask are not heard.
import signal

for number in set(range(1, 65)) - {9, 19, 32, 33}:
    attempt(signal.signal, number, signal.SIG_IGN)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
