# expect: success
# needs: joblib
# final: [[0, 1, 4], [0, 1, 4], [0, 1, 4]]
from joblib import Parallel, delayed


def square(x):
    return x * x


[Parallel(n_jobs=2)(delayed(square)(i) for i in range(3)),
 Parallel(n_jobs=-1)(delayed(lambda x: x * x)(i) for i in range(3)),
 Parallel(n_jobs=2, prefer="threads")(delayed(square)(i) for i in range(3))]
