# Polars: tables of floats, long texts, lists, many rows and many columns.
# expect: success
# without: polars
# stdout:
#     "shape: (12, 1)\n┌────────────┐\n│ f          │\n│ ---        │\n│
#     f64        │\n╞════════════╡\n│ 1.0        │\n│ 123456.789 │\n│
#     0.000001   │\n│ 0.00001    │\n│ 0.3        │\n│ …          │\n│
#     999999.5   │\n│ -0.0       │\n│ NaN        │\n│ 3.141593   │\n│
#     1.2346e7   │\n└────────────┘\nshape: (2,
#     4)\n┌───────────┬───────────┬──────┬──────┐\n│ h         ┆ j         ┆
#     i    ┆ b    │\n│ ---       ┆ ---       ┆ ---  ┆ ---  │\n│ f64       ┆
#     f64       ┆ i64  ┆ bool │\n╞═══════════╪═══════════╪══════╪══════╡\n│
#     1.0000e15 ┆ 1234567.5 ┆ 1    ┆ true │\n│ 0.0000001 ┆ 0.000123  ┆ null ┆
#     null │\n└───────────┴───────────┴──────┴──────┘\nshape: (2,
#     2)\n┌─────────────────────────────────┬─────────────┐\n│
#     s                               ┆ l           │\n│
#     ---                             ┆ ---         │\n│
#     str                             ┆
#     list[i64]   │\n╞═════════════════════════════════╪═════════════╡\n│
#     aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… ┆ [1, 2, 3]   │\n│
#     null                            ┆ [1, 2, … 5]
#     │\n└─────────────────────────────────┴─────────────┘\nshape: (2,
#     10)\n┌───────────┬───────────┬───────────┬───────────┬───┬───────────┬───────────┬───────────┬──────────┐\n│
#     column_nu ┆ column_nu ┆ column_nu ┆ column_nu ┆ … ┆ column_nu ┆
#     column_nu ┆ column_nu ┆ column_n │\n│ mber_0    ┆ mber_1    ┆
#     mber_2    ┆ mber_3    ┆   ┆ mber_6    ┆ mber_7    ┆ mber_8    ┆
#     umber_9  │\n│ ---       ┆ ---       ┆ ---       ┆ ---       ┆   ┆
#     ---       ┆ ---       ┆ ---       ┆ ---      │\n│ str       ┆
#     str       ┆ str       ┆ str       ┆   ┆ str       ┆ str       ┆
#     str       ┆
#     str      │\n╞═══════════╪═══════════╪═══════════╪═══════════╪═══╪═══════════╪═══════════╪═══════════╪══════════╡\n│
#     value     ┆ value     ┆ value     ┆ value     ┆ … ┆ value     ┆
#     value     ┆ value     ┆ value    │\n│ number 0  ┆ number 1  ┆ number
#     2  ┆ number 3  ┆   ┆ number 6  ┆ number 7  ┆ number 8  ┆ number 9 │\n│
#     x         ┆ x         ┆ x         ┆ x         ┆ … ┆ x         ┆
#     x         ┆ x         ┆
#     x        │\n└───────────┴───────────┴───────────┴───────────┴───┴───────────┴───────────┴───────────┴──────────┘\nshape:
#     (1,
#     7)\n┌─────────────────────┬─────┬──────┬───────────────────────────┬─────┬────────────────────┬─────┐\n│
#     a                   ┆ b   ┆ c    ┆ d                         ┆ e   ┆
#     g                  ┆ h   │\n│ ---                 ┆ --- ┆ ---  ┆
#     ---                       ┆ --- ┆ ---                ┆ --- │\n│
#     str                 ┆ i64 ┆ bool ┆ str                       ┆ str ┆
#     list[str]          ┆ str
#     │\n╞═════════════════════╪═════╪══════╪═══════════════════════════╪═════╪════════════════════╪═════╡\n│
#     THE QUICK BROWN FOX ┆ 43  ┆ true ┆ the quick brown fox jumps ┆ he  ┆
#     [\"the\", \"quick\", … ┆ the │\n│ JUMPS OVER…         ┆     ┆      ┆
#     over…                     ┆     ┆
#     \"dog\"]             ┆     │\n└─────────────────────┴─────┴──────┴───────────────────────────┴─────┴────────────────────┴─────┘\nshape:
#     (3,)\nSeries: 's'
#     [str]\n[\n\t\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\n\t\"b\"\n\tnull\n]\nshape:
#     (12,)\nSeries: 'f'
#     [f64]\n[\n\t0.0\n\t1.0\n\t2.0\n\t3.0\n\t4.0\n\t…\n\t7.0\n\t8.0\n\t9.0\n\t10.0\n\t11.0\n]\n┌──────┐\n│
#     x    │\n│ ---  │\n│ f64  │\n╞══════╡\n│ 0.33 │\n│ …    │\n│ 1.33
#     │\n└──────┘\n"
# cut
import polars as pl

print(pl.DataFrame({
    "f": [1.0, 123456.789, 0.000001, 1e-5, 0.1 + 0.2, 1234567.0, 100000,
          999999.5, -0.0, float("nan"), 3.14159265, 12345678.9]}))
print(pl.DataFrame({"h": [1e15, 1e-7], "j": [1234567.5, 0.00012345],
                    "i": [1, None], "b": [True, None]}))
print(pl.DataFrame({"s": ["a" * 40, None],
                    "l": [[1, 2, 3], [1, 2, 3, 4, 5]]}))
print(pl.DataFrame({f"column_number_{n}": [f"value number {n}", "x"]
                    for n in range(10)}))
words = "the quick brown fox jumps over the lazy dog"
print(pl.DataFrame({"a": [words.upper()], "b": [43], "c": [True],
                    "d": [words], "e": ["he"], "g": [words.split()],
                    "h": ["the"]}))
print(pl.Series("s", ["a" * 40, "b", None]))
print(pl.Series("f", range(12), dtype=pl.Float64))
with pl.Config(tbl_rows=2, float_precision=2, tbl_hide_dataframe_shape=True):
    print(pl.DataFrame({"x": [1 / 3, 2 / 3, 1.0, 4 / 3]}))
