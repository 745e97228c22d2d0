# expect: success
# needs: pandas
# final: "   a  b\n0  1  x\n1  2  y"
# results: [["text/html", "text/plain",
#    "application/vnd.dataresource+json"]]
import pandas as pd
pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
