# expect: success
# needs: pandas
# final: "0    1\n1    2\ndtype: int64"
# results: [["text/plain", "application/vnd.dataresource+json"]]
import pandas as pd
pd.Series([1, 2])
