# expect: success
# needs: pandas
# results: ["text/plain", ["text/html", "text/plain"], "text/plain"]
import pandas as pd
display(1)
display(pd.DataFrame({"a": [1]}), "text")
