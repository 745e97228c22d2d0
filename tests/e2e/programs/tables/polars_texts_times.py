# Polars: texts, dates and windows of time.
# expect: success
# without: polars
# stdout:
#     "[('Ada Lovelace', 12, 'Ada', 'Lovelace', 'Lovelace Ada', True), ('Alan
#     Turing', 11, 'alan', 'turing', 'turing alan', True), (None, None, None,
#     None, None, None)]\n[(2024, 1, 5, 3, 1, '31 Jan 2024',
#     datetime.date(2024, 1, 31), datetime.date(2024, 2, 29), 30), (2024, 2,
#     9, 4, 1, '29 Feb 2024', datetime.date(2024, 2, 29), datetime.date(2024,
#     3, 29), 59), (2023, 12, 52, 1, 4, '25 Dec 2023', datetime.date(2023, 12,
#     31), datetime.date(2024, 1, 25), -7)]\nshape: (3,
#     3)\n┌─────────────────────┬─────┬─────┐\n│ t                   ┆ v   ┆
#     n   │\n│ ---                 ┆ --- ┆ --- │\n│ datetime[μs]        ┆ i64
#     ┆ u32 │\n╞═════════════════════╪═════╪═════╡\n│ 2024-03-01 00:00:00 ┆
#     3   ┆ 2   │\n│ 2024-03-01 12:00:00 ┆ 7   ┆ 2   │\n│ 2024-03-02 00:00:00
#     ┆ 5   ┆ 1   │\n└─────────────────────┴─────┴─────┘\nshape: (2,
#     5)\n┌─────────────────────┬─────┬──────┬──────────────┬─────────────────────┐\n│
#     t                   ┆ v   ┆ mean ┆ step         ┆
#     day                 │\n│ ---                 ┆ --- ┆ ---  ┆
#     ---          ┆ ---                 │\n│ datetime[μs]        ┆ i64 ┆
#     f64  ┆ duration[μs] ┆
#     datetime[μs]        │\n╞═════════════════════╪═════╪══════╪══════════════╪═════════════════════╡\n│
#     2024-03-01 20:00:00 ┆ 4   ┆ 3.5  ┆ 6h           ┆ 2024-03-01 00:00:00
#     │\n│ 2024-03-02 02:00:00 ┆ 5   ┆ 4.5  ┆ 6h           ┆ 2024-03-02
#     00:00:00
#     │\n└─────────────────────┴─────┴──────┴──────────────┴─────────────────────┘\n[datetime.date(2024,
#     1, 31), datetime.date(2024, 2, 29), datetime.date(2024, 3, 31),
#     datetime.date(2024, 4, 30)]\n"
# cut
from datetime import date, datetime

import polars as pl

c = pl.col
df = pl.DataFrame({"name": ["Ada Lovelace", "alan turing", None],
                   "day": ["2024-01-31", "2024-02-29", "2023-12-25"]})
print(df.select(
    c("name").str.to_titlecase(), n=c("name").str.len_chars(),
    first=c("name").str.split(" ").list.first(),
    last=c("name").str.extract(r"(\w+)$", 1),
    swap=c("name").str.replace(r"(\w+) (\w+)", "$2 $1"),
    has=c("name").str.contains("(?i)^A.*l")).rows())
days = df.select(c("day").str.to_date())
print(days.select(
    c("day").dt.year(), m=c("day").dt.month(), w=c("day").dt.week(),
    wd=c("day").dt.weekday(), q=c("day").dt.quarter(),
    text=c("day").dt.strftime("%d %b %Y"), end=c("day").dt.month_end(),
    later=c("day").dt.offset_by("1mo"),
    gap=(c("day") - date(2024, 1, 1)).dt.total_days()).rows())
hours = pl.DataFrame({
    "t": pl.datetime_range(datetime(2024, 3, 1, 2), datetime(2024, 3, 2, 2),
                           "6h", eager=True), "v": [1, 2, 3, 4, 5]})
print(hours.group_by_dynamic("t", every="12h").agg(
    c("v").sum(), n=pl.len()))
print(hours.with_columns(mean=c("v").rolling_mean(2), step=c("t").diff(),
                         day=c("t").dt.truncate("1d")).tail(2))
print(pl.date_range(date(2024, 1, 31), date(2024, 4, 30), "1mo",
                    eager=True).to_list())
