# expect: failure
# needs: pandas
# error: ImportError
# told: ["pyarrow", "to_csv"]
# without: pyarrow
# cut
import pandas as pd

df = pd.DataFrame({"id": range(5), "value": [x ** 2 for x in range(5)]})
df.to_parquet("/mnt/data/table.parquet", index=False)
back = pd.read_parquet("/mnt/data/table.parquet")
print(back.equals(df))
