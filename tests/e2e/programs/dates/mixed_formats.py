# expect: success
# needs: pandas
# stdout: "['2024-01-15', '2024-02-15', '2024-03-03', nan]\n"
# cut
import pandas as pd

raw = pd.Series(['2024-01-15', '15/02/2024', 'March 3, 2024', 'bad'])
parsed = pd.to_datetime(raw, format='mixed', dayfirst=True, errors='coerce')
print(parsed.dt.strftime('%Y-%m-%d').tolist())
