# expect: failure
# error: ImportError
# told: ["pyarrow"]
# needs: pandas
# without: pyarrow
# cut
import pandas as pd
pd.DataFrame({"a": [1]}).to_feather("/mnt/data/a.feather")
