# expect: success
# needs: pandas
# stdout: "{'left_only': 1, 'right_only': 1, 'both': 3}\n name  amount  rank\nAlice   330.0     1\n  Bob   125.5     2\n Cara     0.0     3\n"
# cut
import pandas as pd
from io import StringIO

orders = pd.read_csv(StringIO("""order_id,customer_id,amount
1,C1,250
2,C2,125.5
3,C1,80
4,C4,60
"""))
customers = pd.DataFrame({'customer_id': ['C1', 'C2', 'C3'],
                          'name': ['Alice', 'Bob', 'Cara']})
merged = orders.merge(customers, on='customer_id', how='outer',
                      indicator=True)
print(merged['_merge'].value_counts().sort_index().to_dict())
top = (merged.dropna(subset=['name'])
       .groupby('name', as_index=False)['amount'].sum()
       .sort_values('amount', ascending=False))
top['rank'] = top['amount'].rank(ascending=False, method='dense').astype(int)
print(top.to_string(index=False))
