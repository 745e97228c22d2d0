# expect: success
# needs: joblib
# stdout: "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]\n[0, 1, 4, 9]\n2\n"
# stderr-like: .*
# cut
from joblib import Memory, Parallel, delayed
from math import sqrt

out = Parallel(n_jobs=-1)(delayed(sqrt)(i ** 2) for i in range(6))
print(out)
out = Parallel(n_jobs=2, backend='loky')(delayed(pow)(i, 2)
                                         for i in range(4))
print(out)
memory = Memory('/tmp/cache', verbose=0)
print(memory.cache(lambda v: v + 1)(1))
