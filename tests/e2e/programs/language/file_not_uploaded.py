# expect: failure
# error: FileNotFoundError
# files-in: {"Sales_2024.csv": "a,b\n1,2\n"}
# told: "Sales_2024.csv"
# cut
import pandas as pd
df = pd.read_csv('/mnt/data/sales_2024.csv')
print(df.head())
