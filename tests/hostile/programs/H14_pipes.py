# expect: ok
# Memory of the kernel in pipes.
import fcntl

made = 0
try:
    while made < 10000:
        _, write = os.pipe()
        refused(fcntl.fcntl, write, 1031, 1 << 20)  # F_SETPIPE_SZ
        os.set_blocking(write, False)
        try:
            while True:
                os.write(write, b"x" * 65536)
        except BlockingIOError:
            pass
        made += 1
except OSError as error:
    print(made, error)
tell(made == 10000, made)
