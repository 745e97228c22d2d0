# expect: success
# needs: altair pandas
# files-kinds: {"chart.html": "text"}
# final-like: .*
# results: ["text/html"]
# stderr-like: .*
# cut
import altair as alt
import pandas as pd

source = pd.DataFrame({'a': list('ABCD'), 'b': [28, 55, 43, 91]})
chart = alt.Chart(source).mark_bar().encode(x='a', y='b')
chart.save('/mnt/data/chart.html')
chart
