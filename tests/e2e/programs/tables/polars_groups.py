# Polars: aggregates, windows, pivot and unpivot.
# expect: success
# without: polars
# stdout:
#     "shape: (2, 7)\n┌──────┬─────┬──────┬──────┬───────┬────────┬──────┐\n│
#     shop ┆ len ┆ sold ┆ mean ┆ top_x ┆ income ┆ dear │\n│ ---  ┆ --- ┆
#     ---  ┆ ---  ┆ ---   ┆ ---    ┆ ---  │\n│ str  ┆ u32 ┆ i64  ┆ f64  ┆
#     f64   ┆ f64    ┆
#     str  │\n╞══════╪═════╪══════╪══════╪═══════╪════════╪══════╡\n│ N    ┆
#     3   ┆ 90   ┆ 30.0 ┆ 1.5   ┆ 115.0  ┆ y    │\n│ S    ┆ 2   ┆ 20   ┆ 20.0
#     ┆ 2.0   ┆ 40.0   ┆
#     y    │\n└──────┴─────┴──────┴──────┴───────┴────────┴──────┘\n[('N',
#     'x', 10, 1.5, 90, 2.0, 10), ('S', 'x', 20, 2.0, 20, 2.0, 30), ('N', 'y',
#     30, 2.5, 90, 1.0, 30), ('S', 'y', None, 4.0, 20, 1.0, None), ('N', 'x',
#     50, 0.5, 90, 3.0, 80)]\n[('N', 1.0, 1.5), ('S', 1.4142135623730951,
#     4.0)] [2.5, 1.0, 2.5, 4.0]\n[('N', 1.5, 2.5), ('S', 2.0,
#     None)]\n{'shop': ['N', 'S'], 'x': [60, 20], 'y': [30, 0]}\n[('N', 'x',
#     60), ('S', 'x', 20), ('N', 'y', 30), ('S', 'y', 0)]\n[{'sold_mean':
#     27.5, 'price_mean': 2.1, 'shop': 2}]\n[('N', 3), ('S', 2)] [(('N',), 3),
#     (('S',), 2)]\n"
# cut
import polars as pl
import polars.selectors as cs

df = pl.DataFrame({
    "shop": ["N", "S", "N", "S", "N"], "kind": ["x", "x", "y", "y", "x"],
    "sold": [10, 20, 30, None, 50], "price": [1.5, 2.0, 2.5, 4.0, 0.5]})
print(df.group_by("shop", maintain_order=True).agg(
    pl.len(), pl.col("sold").sum(), pl.col("sold").mean().alias("mean"),
    pl.col("price").filter(pl.col("kind") == "x").max().alias("top_x"),
    (pl.col("sold") * pl.col("price")).sum().alias("income"),
    pl.col("kind").sort_by("price", descending=True).first().alias("dear")))
print(df.with_columns(
    pl.col("sold").sum().over("shop").alias("all"),
    pl.col("price").rank(descending=True).over("shop").alias("rank"),
    pl.col("sold").cum_sum().over("kind").alias("so_far")).rows())
print(df.group_by("shop").agg(pl.col("price").std().alias("std"),
                              pl.col("price").quantile(0.5)).rows(),
      pl.Series([2, 1, 2, 3]).rank().to_list())
few = df.filter(pl.col("price") != 4)
print(few.pivot("kind", index="shop", values="price",
                aggregate_function="max").rows())
wide = df.pivot("kind", index="shop", values="sold", aggregate_function="sum")
print(wide.to_dict(as_series=False))
print(wide.unpivot(index="shop", variable_name="kind").rows())
print(df.select(cs.numeric().mean().name.suffix("_mean"),
                pl.col("shop").n_unique()).to_dicts())
print(df["shop"].value_counts(sort=True).rows(),
      [(key, part.height) for key, part in df.group_by("shop")])
