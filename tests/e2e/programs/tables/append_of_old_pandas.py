# expect: success
# needs: pandas below:3.12
# stdout-has: "total"
# stderr-like: .*
# cut
import pandas as pd

df = pd.DataFrame({'item': ['a', 'b'], 'qty': [1, 2]})
df = df.append({'item': 'total', 'qty': df['qty'].sum()}, ignore_index=True)
print(df)
