# Words of pandas 2 and 3, without pyarrow.
# expect: success
# needs: pandas openpyxl
# final: [["low", "mid", "high"], ["string", "Int64"], ["2024-03-01"], "a",
#    [1.0, 2.0, 3.0], "Float64", 2, ["x"], true,
#    [3, 1]]
# cut
import io

import pandas as pd

pd.set_option("future.no_silent_downcasting", True)
pd.options.mode.copy_on_write = True
sizes = pd.Series([1, 5, 20])
words = sizes.case_when([(sizes < 3, "low"), (lambda s: s < 10, "mid"),
                         (sizes >= 10, "high")])
read = pd.read_csv(io.StringIO("a,b\nx,1\ny,\n"), dtype_backend="pyarrow",
                   engine="pyarrow")
if not hasattr(read["b"].dtype, "numpy_dtype"):
    read = read.convert_dtypes()
dates = pd.read_csv(io.StringIO("d\n01/03/2024\n"), parse_dates=["d"],
                    date_format="%d/%m/%Y")
text = pd.Series(["a", None]).astype("string[pyarrow]")
gaps = pd.Series([1.0, None, 3.0], dtype="Float64").interpolate()
pd.DataFrame({"x": [1, 2]}).to_excel("t.xlsx", index=False)
sheet = pd.read_excel("t.xlsx", engine="calamine")
import os
os.remove("t.xlsx")
[words.tolist(), [str(kind) for kind in read.dtypes],
 dates["d"].dt.strftime("%Y-%m-%d").tolist(), text[0],
 gaps.tolist(), str(gaps.dtype), len(sheet), list(sheet.columns),
 pd.Series([True, None], dtype=object).fillna(False).infer_objects(
     copy=False).dtype == bool,
 [len(pd.DataFrame({"a": [1], "b": [None], "c": [2]}).stack(
     future_stack=True)), len(dates["d"].dt.as_unit("s"))]]
