# A table comes back from a Parquet file, by pandas alone.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "True\nint64 int64\n[0, 4, 16]\n"
# files-kinds: {"table.parquet": "parquet"}
# cut
import pandas as pd

df = pd.DataFrame({"id": range(5), "value": [x ** 2 for x in range(5)]})
df.to_parquet("/mnt/data/table.parquet", index=False)
back = pd.read_parquet("/mnt/data/table.parquet")
print(back.equals(df))
print(*back.dtypes)
even = pd.read_parquet("/mnt/data/table.parquet", columns=["value"],
                       filters=[("id", "in", [0, 2, 4])])
print(even["value"].tolist())
