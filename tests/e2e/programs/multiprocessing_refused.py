# expect: failure
# error: PermissionError
import multiprocessing
multiprocessing.Process(target=print).start()
