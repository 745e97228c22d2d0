# query() and eval() of columns that have pandas's own types, as pandas 2 does.
# needs: pandas
# expect: success
# stdout-like: ^\[2\]\n\[2\]\n\[0, 1, 2\]\n\[0, 2\]\n\[1\]\n\[2\]\n\[1\.5, <NA>, 10\.5\]\n\[1, 2\]\n$
# cut
import warnings

import pandas as pd

warnings.simplefilter("ignore", RuntimeWarning)  # of the engine, in pandas 2

table = pd.DataFrame({"a": [1, None, 3], "b": ["x", "y", None],
                      "c": [1.5, 2.5, 3.5]}).convert_dtypes()
for words in ("a > 1", "a > 1 and c != 9", "c > 2 or a == 1", "a in [1, 3]",
              "a.isna()", "a + c > 4"):
    print(table.query(words, engine=None).index.tolist())
print(table.eval("d = a * c")["d"].tolist())
limit = 2
print(table.query("c > @limit").index.tolist())
