# expect: success
# final: 3
import time
from multiprocessing import Pool

pool = Pool(2)
pool.apply_async(time.sleep, (1000,))
pool.apply(abs, (-3,))
