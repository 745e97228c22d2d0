# expect: success
# needs: pandas
# stdout: "{'a': ['v'], 'b': ['v']}\n{'a': 30, 'b': 3}\n"
# cut
import pandas as pd

df = pd.DataFrame({'g': ['a', 'a', 'b'], 'v': [10, 20, 3]})
print(df.groupby('g').apply(lambda d: list(d.columns),
                            include_groups=False).to_dict())
print(df.groupby('g')[['v']].apply(lambda d: d['v'].sum()).to_dict())
