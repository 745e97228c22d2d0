# expect: success
# needs: pandas
# stdout: "2024-01-31 465\n2024-02-29 1305\n2024-03-31 2235\n"
# cut
import pandas as pd
import numpy as np

rng = pd.date_range('2024-01-01', periods=90, freq='D')
ts = pd.Series(np.arange(90), index=rng)
monthly = ts.resample('ME').sum()
for when, value in monthly.items():
    print(when.strftime('%Y-%m-%d'), value)
