# expect: ok
# Whatever was left open: nothing but four pipes.
import stat

for number in range(1024):
    try:
        what = os.fstat(number)
    except OSError:
        continue
    tell(number > 3 or not stat.S_ISFIFO(what.st_mode), number,
         stat.filemode(what.st_mode))
    refused(os.open, "../../etc/shadow", 0, dir_fd=number)
    refused(os.fchdir, number)
