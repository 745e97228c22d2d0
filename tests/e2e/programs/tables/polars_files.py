# Polars: CSV, JSON, Excel, numpy and pandas, there and back.
# expect: success
# needs: pandas openpyxl xlsxwriter
# files-kinds: {"t.xlsx": "zip", "t.csv": "text", "t.json": "text"}
# without: polars
# stdout:
#     "Schema({'id': Int64, 'name': String, 'x': Float64, 'day':
#     Date})\nTrue\n2.5 ['Smith, J', None] True\n[{'a': '1', 'b':
#     None}]\nNone (2, 4)\n[[1.0, 0.0],
#     [0.0, 1.0]] [(1, None), (None, 'z')] Schema({'n': Int8, 's': String})\n"
# cut
import io

import numpy as np
import polars as pl

text = 'id,name,x,day\n1,"Smith, J",2.5,2024-01-02\n2,,,2024-02-03\n'
df = pl.read_csv(io.StringIO(text), try_parse_dates=True)
print(df.schema)
print(df.write_csv() == text)
df.write_csv("t.csv")
df.write_json("t.json")
df.write_excel("t.xlsx")
print(pl.scan_csv("t.csv").select(pl.col("x").sum()).collect().item(),
      pl.read_json("t.json")["name"].to_list(),
      pl.read_excel("t.xlsx").equals(df))
print(pl.read_csv(b"a;b\n1;NA\n", separator=";", null_values="NA",
                  schema_overrides={"a": pl.String}).to_dicts())
print(pl.from_pandas(df.to_pandas()).schema["day"].time_zone,
      df.to_pandas().shape)
print(pl.DataFrame(np.eye(2), schema=["p", "q"]).to_numpy().tolist(),
      pl.DataFrame([{"a": 1}, {"b": "z"}]).rows(),
      pl.DataFrame([(1, "x")], schema={"n": pl.Int8, "s": pl.String},
                   orient="row").schema)
