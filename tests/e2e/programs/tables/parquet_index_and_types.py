# The index, categories, time zones and nullable columns come back from a file.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "snappy zstd gzip brotli lz4 None\n['b', 'a', 'z'] True\nEurope/Berlin\nInt64 string boolean [1, <NA>, 3]\n['city', 'year'] [('Oslo', 2023), ('Oslo', 2024), ('Rome', 2023)]\n[datetime.date(2024, 2, 29), None] [Decimal('1.50'), None] [[1, 2], []]\nnot a parquet file: True\n"
# cut
import datetime
import decimal
import io

import pandas as pd

index = pd.MultiIndex.from_tuples(
    [("Oslo", 2023), ("Oslo", 2024), ("Rome", 2023)], names=["city", "year"])
df = pd.DataFrame({
    "whole": [1, 2, 3], "part": [0.5, None, -0.0], "text": ["ä", None, ""],
    "yes": [True, False, True],
    "size": pd.Categorical(["b", "a", None], categories=["b", "a", "z"],
                           ordered=True),
    "at": pd.date_range("2024-03-30 23:00", periods=3, freq="h",
                        tz="Europe/Berlin"),
    "when": [pd.Timestamp("1969-12-31 23:59:59.999999999"), None,
             pd.Timestamp("2262-01-01")],
    "took": pd.to_timedelta([1, None, -3], unit="h"),
    "n": pd.array([1, None, 3], dtype="Int64"),
    "s": pd.array(["x", None, "z"], dtype="string"),
    "b": pd.array([True, None, False], dtype="boolean")}, index=index)
codecs = ["snappy", "zstd", "gzip", "brotli", "lz4", None]
for codec in codecs:
    file = io.BytesIO()
    df.to_parquet(file, compression=codec)
    pd.testing.assert_frame_equal(pd.read_parquet(file), df)
print(*codecs)
back = pd.read_parquet(file)
print(back["size"].cat.categories.tolist(), back["size"].cat.ordered)
print(back["at"].dt.tz)
print(back["n"].dtype, back["s"].dtype, back["b"].dtype, back["n"].tolist())
print(back.index.names, back.index.tolist())
objects = pd.DataFrame({
    "day": [datetime.date(2024, 2, 29), None],
    "cost": [decimal.Decimal("1.50"), None], "list": [[1, 2], []]})
objects.to_parquet("/tmp/o.parquet", index=False)
again = pd.read_parquet("/tmp/o.parquet")
print(again["day"].tolist(), again["cost"].tolist(),
      [one.tolist() for one in again["list"]])
try:
    pd.read_parquet(io.BytesIO(b"id,name\n1,Ann\n2,Bob\n"))
except ValueError as error:
    print("not a parquet file:", "Parquet magic bytes not found in footer. "
          "Either the file is corrupted or this is not a parquet file."
          in str(error))
