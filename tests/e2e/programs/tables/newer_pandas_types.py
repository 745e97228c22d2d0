# dtype_backend=, engine_kwargs= and as_unit() of pandas 2, in all places that
# have them.
# expect: success
# needs: pandas openpyxl xlsxwriter
# final: [["string", "Int64"], "Int64", ["Int64"], true, 1, ["2024-01-01"],
#    true]
# cut
import io
import os
import sqlite3

import pandas as pd

table = pd.DataFrame({"a": ["x", None], "b": [1, None]}, dtype=object)
typed = table.convert_dtypes(dtype_backend="numpy_nullable")
number = pd.to_numeric(pd.Series(["1", "z"]), errors="coerce",
                       dtype_backend="numpy_nullable")
rows = pd.read_sql("select 1 as a", sqlite3.connect(":memory:"),
                   dtype_backend="numpy_nullable")
plain = pd.read_json(io.StringIO('[{"a": 1.5}]'))
table.to_excel("u.xlsx", index=False, sheet_name="S", engine="xlsxwriter",
               engine_kwargs={"options": {"strings_to_numbers": True}})
sheet = pd.read_excel("u.xlsx", sheet_name="S")
os.remove("u.xlsx")
days = pd.DatetimeIndex(["2024-01-01"]).as_unit("s")
[[str(kind) for kind in typed.dtypes], str(number.dtype),
 [str(kind) for kind in rows.dtypes], str(plain["a"].dtype) == "float64",
 int(sheet["b"].iloc[0]), days.strftime("%Y-%m-%d").tolist(),
 pd.Timestamp("2024-01-01").as_unit("ms") == days[0]]
