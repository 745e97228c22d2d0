# expect: ok
# Another program, in all the ways of the library.
import subprocess

tell(os.system("echo ran") == 0, "system")
refused(subprocess.run, ["/usr/bin/id"])
refused(subprocess.run, [sys.executable, "-c", "1"], close_fds=False)
refused(subprocess.run, "id", shell=True)
refused(os.posix_spawn, "/usr/bin/id", ["id"], {})
refused(os.popen, "id")
refused(os.fork)
