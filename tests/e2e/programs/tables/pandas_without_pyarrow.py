# pandas alone does not bring the adapter, nor changes its types for it.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "False\nstring\nNotImplementedError dtypes of pyarrow are not here; nullable dtypes are (Int64, Float64, boolean, string; dtype_backend='numpy_nullable')\n{'a': 'Int64', 'b': 'string'}\nrefused True\nTrue object\n"
# cut
import io
import sys

import pandas as pd

print("pyarrow" in sys.modules)
print(pd.Series(["a", None]).astype("string[pyarrow]").dtype)
try:
    pd.Series([1]).astype("int64[pyarrow]")
except NotImplementedError as error:
    print(type(error).__name__, error)
file = io.BytesIO()
pd.DataFrame({"a": [1, None], "b": ["x", None]}).astype(
    {"a": "Int64"}).to_parquet(file)
kinds = pd.read_parquet(file, dtype_backend="numpy_nullable").dtypes
print({name: str(kind) for name, kind in kinds.items()})
try:
    pd.read_parquet(file, dtype_backend="pyarrow")
except NotImplementedError as error:
    print("refused", "numpy_nullable" in str(error))
print("pyarrow" in sys.modules, pd.Series(["a"]).dtype)
