# expect: success
# needs: pandas
# results: ["text/html", "text/html", "text/markdown"]
# cut
from IPython.display import HTML, Markdown, display
import pandas as pd

df = pd.DataFrame({'a': [1, 2]})
display(df)
display(HTML('<b>bold</b>'), Markdown('**md**'))
