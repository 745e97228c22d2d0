# Polars: wrong calls fail with polars' errors, and parts left out say so.
# expect: success
# without: polars
# stdout:
#     "ColumnNotFoundError unable to find column \"zz\"; valid columns:
#     [\"a\", \"s\"]\nColumnNotFoundError unable to find column \"zz\"; valid
#     columns: [\"a\", \"s\"]\nComputeError cannot compare string with numeric
#     type (i32)\nInvalidOperationError arithmetic on string and numeric not
#     allowed, try an explicit cast first\nInvalidOperationError conversion
#     from `str` to `i64` failed in column 's' for 2 out of 2 values:
#     \nDuplicateError the name 'a' is duplicate\nInvalidOperationError `sum`
#     operation not supported for dtype `str`\nShapeError unable to append to
#     a DataFrame of width 2 with a DataFrame of width 1\nShapeError could not
#     create a new DataFrame: series \"a\" has length 3 while series \"b\"
#     \nSchemaError datatypes of join keys don't match - `a`: i64 on left does
#     not match `a`: s\nTypeError unexpected value while building Series of
#     type Int64; found value of type S\nAttributeError 'DataFrame' object has
#     no attribute 'groupby'; instead take group_by\nAttributeError 'Expr'
#     object has no attribute 'apply'; instead take
#     map_elements\nAttributeError polars.SQLContext is not here; instead take
#     group_by, join and filter, or s\nAttributeError polars.Decimal is not
#     here; instead take Float64\nNotImplementedError
#     write_csv(float_scientific=) is not here\nNotImplementedError
#     DataFrame.to_arrow is not here; instead take to_pandas\nTypeError
#     DataFrame.sort() got an unexpected keyword argument
#     'ascending'\nTypeError the truth value of an Expr is
#     ambiguous\nAttributeError .str.levenshtein is not here\n"
# cut
import polars as pl

df = pl.DataFrame({"a": [1, 2], "s": ["x", "y"]})
c = pl.col
wrong = [
    lambda: df.select("zz"), lambda: df["zz"],
    lambda: df.filter(c("s") > 1), lambda: df.select(c("s") + 1),
    lambda: df.select(c("s").cast(pl.Int64)), lambda: df.select("a", "a"),
    lambda: df.select(c("s").sum()), lambda: df.vstack(df.select("a")),
    lambda: pl.DataFrame({"a": [1, 2, 3], "b": [1, 2]}),
    lambda: df.join(df.cast({"a": pl.String}), on="a"),
    lambda: pl.DataFrame({"a": [1, "x"]}), lambda: df.groupby("a"),
    lambda: df.select(c("a").apply(str)), lambda: pl.SQLContext(),
    lambda: pl.Decimal, lambda: df.write_csv(float_scientific=True),
    lambda: df.to_arrow(), lambda: df.sort("a", ascending=False),
    lambda: bool(c("a") > 1), lambda: c("s").str.levenshtein("a")]
for one in wrong:
    try:
        print("no error:", one())
    except Exception as why:
        words = str(why).split("\n")[0][:75].split(". Did")[0]
        print(type(why).__name__, words)
