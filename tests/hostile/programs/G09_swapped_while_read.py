# expect: ok
# A thread that goes on exchanging a file for a link.
import threading


def swap():
    while True:
        try:
            with open("t1", "w") as file:
                file.write("ok")
            os.rename("t1", "out.txt")
            os.symlink("/etc/ld.so.cache", "t2")
            os.rename("t2", "out.txt")
        except OSError:
            pass


threading.Thread(target=swap, daemon=True).start()
time.sleep(0.1)
