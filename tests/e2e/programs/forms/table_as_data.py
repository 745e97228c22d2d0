# expect: success
# needs: pandas
# forms: ["data"]
# results: [["application/vnd.terrarium.data+json", "text/plain"]]
# final-like: .*a.*
import pandas as pd
pd.DataFrame({"a": [1]})
