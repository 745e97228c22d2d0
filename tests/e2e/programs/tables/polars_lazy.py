# expect: failure
# error: ModuleNotFoundError
# told: ["polars", "pandas"]
# without: polars
# cut
import polars as pl

df = pl.DataFrame({"g": ["a", "b", "a"], "v": [1, 2, 3]})
print(df.lazy().group_by("g").agg(pl.col("v").sum()).collect())
