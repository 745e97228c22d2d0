# expect: success
# needs: pandas jinja2
# final-like: ^<pandas.io.formats.style.Styler
# results: ["text/html"]
import pandas as pd
pd.DataFrame({"a": [1.5, 2]}).style.format("{:.2f}").highlight_max()
