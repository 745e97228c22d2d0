# Polars: null is not NaN, unknown is neither true nor false, and types stay.
# expect: success
# without: polars
# stdout:
#     "[(3.5, 3, 1, None, 49), (-3.5, -4, 2, None, 49), (None, None, None,
#     None, None), (0.0, 0, 0, None, 0)]\n[(False, True, False), (False,
#     False, True), (None, None, None), (False, True, False)]\n(0, 2.0, 2, 3,
#     0.0, 4)\n2 1 (1, 1, 1) 2\n[(7, None), (5, 'low'), (5, None), (0,
#     None)]\n[None, -7, 0, 7] [-7, 0, 7, None] [None, 7, 0, -7]\n[(7, 2.0,
#     7), (-7, 9.0, -7), (-7, 8.0, 7), (0, 0.0, 0)]\n0 2.5 3.0
#     1.5\nSchema({'i': Int64, 'f': Float64, 'b': Boolean}) [Int8, Float64,
#     Int32, String]\n"
# cut
import polars as pl

df = pl.DataFrame({"i": [7, -7, None, 0], "f": [2.0, None, float("nan"), 0.0],
                   "b": [True, False, None, True]})
c = pl.col
print(df.select(half=c("i") / 2, floor=c("i") // 2, rest=c("i") % 3,
                none=c("i") // 0, power=c("i") ** 2).rows())
print(df.select(both=c("b") & c("i").is_null(), either=c("b") | (c("i") > 0),
                no=~c("b")).rows())
print(df.select(c("i").sum(), c("f").max(), c("b").sum(),
                n=c("i").count(), m=c("i").mean(), size=pl.len()).row(0))
print(df.filter(c("f") > 1).height, df.filter(c("f").is_nan()).height,
      df.null_count().row(0), df.drop_nulls().height)
print(df.select(w=pl.when(c("b")).then(c("i")).otherwise(pl.lit(5)),
                x=pl.when(c("i") < 0).then(pl.lit("low"))).rows())
print(df["i"].sort().to_list(), df["i"].sort(nulls_last=True).to_list(),
      df["i"].sort(descending=True).to_list())
print(df.select(c("i").fill_null(strategy="forward"),
                z=c("f").fill_null(9).fill_nan(8),
                y=c("i").fill_null(c("i").max())).rows())
print(pl.Series([], dtype=pl.Int64).sum(), pl.Series([None, 2.5]).mean(),
      pl.Series([1, 2, 3, 4]).quantile(0.5), pl.Series([1, 2]).median())
print(df.schema, df.select(c("i").cast(pl.Int8), c("f") / 2, pl.lit(1),
                           s=c("i").cast(pl.String)).dtypes)
