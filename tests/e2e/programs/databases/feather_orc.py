# expect: failure
# error: ArrowNotImplementedError
# told: ["Feather", "to_parquet()"]
# needs: pandas
# without: pyarrow
# files-out: {"a.feather": ""}
# cut
import pandas as pd
pd.DataFrame({"a": [1]}).to_feather("/mnt/data/a.feather")
