# Without results, display() prints.
# expect: success
# stdout: "**m**\n   a\n0  1\n"
# needs: pandas
import pandas as pd
from IPython.display import Markdown, display
display(Markdown("**m**"), pd.DataFrame({"a": [1]}))
