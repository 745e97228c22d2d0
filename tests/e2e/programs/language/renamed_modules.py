# expect: success
# needs: pypdf fitz joblib
# stdout: "True {'a': 1} 3\n"
# stderr-like: .*
# cut
import pymupdf
import tomli
from sklearn.externals import joblib
print(callable(pymupdf.open), tomli.loads('a = 1'),
      sum(joblib.Parallel(n_jobs=1)(joblib.delayed(abs)(n) for n in (1, -2))))
