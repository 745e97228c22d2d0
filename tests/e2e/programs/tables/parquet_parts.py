# Row groups, batches, statistics, filters, and a directory by a column.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "3 10 [4, 4, 2]\n0 9 0\n[3, 3, 3, 1]\n{'n': [7, 8, 9]}\n[{'k': 'b', 'n': 3}, {'k': 'b', 'n': 9}]\nfalse double\nTrue True\n['k=a', 'k=b', 'k=c']\n{'a': 12, 'b': 15, 'c': 18}\ncategory\n"
# cut
import os
import shutil

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

table = pa.table({"k": list("abcbacacbb"), "n": range(10)})
pq.write_table(table, "/tmp/t.parquet", row_group_size=4)
file = pq.ParquetFile("/tmp/t.parquet")
meta = file.metadata
print(file.num_row_groups, meta.num_rows,
      [meta.row_group(i).num_rows for i in range(3)])
stats = [meta.row_group(i).column(1).statistics for i in range(3)]
print(min(one.min for one in stats), max(one.max for one in stats),
      sum(one.null_count for one in stats))
print([len(batch) for batch in file.iter_batches(batch_size=3)])
print(pq.read_table("/tmp/t.parquet", columns=["n"],
                    filters=[("n", ">", 6)]).to_pydict())
print(pq.read_table("/tmp/t.parquet", filters=(
    pc.field("k") == "b") & pc.field("n").isin([3, 9, 2])).to_pylist())
with pq.ParquetWriter("/tmp/w.parquet", pa.schema([("x", pa.float64())])) as w:
    for i in range(3):
        w.write_table(pa.table({"x": [i / 2, None]}))
whole = pq.read_table("/tmp/w.parquet")
print(str(whole["x"].null_count != 3).lower(), whole.schema.field("x").type)
numbers = [float(i % 100) for i in range(5000)]
pq.write_table(pa.table({"x": numbers}), "/tmp/n.parquet",
               use_dictionary=False)
print(os.path.getsize("/tmp/n.parquet") < 10_000,
      pq.read_table("/tmp/n.parquet")["x"].to_pylist() == numbers)
df = pd.DataFrame({"k": list("abcabc"), "v": [5, 7, 8, 7, 8, 10]})
df.to_parquet("/tmp/parts", partition_cols=["k"])
print(sorted(os.listdir("/tmp/parts")))
back = pd.read_parquet("/tmp/parts")
print(back.groupby("k", observed=True)["v"].sum().to_dict())
print(back["k"].dtype)
shutil.rmtree("/tmp/parts")
