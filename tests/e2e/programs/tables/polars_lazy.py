# Polars: a lazy query is done by collect(), and prints as polars prints it.
# expect: success
# without: polars
# stdout:
#     "shape: (2, 2)\n┌─────┬─────┐\n│ g   ┆ v   │\n│ --- ┆ --- │\n│ str ┆ i64
#     │\n╞═════╪═════╡\n│ a   ┆ 4   │\n│ b   ┆ 2   │\n└─────┴─────┘\n[(2, 4),
#     (3, 6)] Schema({'x': Int64, 'double': Int64})\n"
# cut
import polars as pl

df = pl.DataFrame({"g": ["a", "b", "a"], "v": [1, 2, 3]})
lazy = df.lazy().group_by("g").agg(pl.col("v").sum()).sort("g")
print(lazy.collect())
plan = (pl.LazyFrame({"x": [3, 1, 2]}).filter(pl.col("x") > 1)
        .with_columns(double=pl.col("x") * 2).sort("x").head(5))
print(plan.collect().rows(), plan.collect_schema())
