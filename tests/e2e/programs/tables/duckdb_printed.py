# DuckDB: relations as it prints them.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "True\nTrue\nTrue\nTrue\nTrue\n"
# cut
import contextlib
import io

import duckdb
import pandas as pd

df = pd.DataFrame({"name": ["Ann", None], "x": [1.5, -20.0],
                   "day": pd.to_datetime(["2024-01-01", "2024-01-02"])})
FIRST = """\
┌─────────┬────────┬────────────┬─────────┬──────────────┐
│  name   │   x    │    day     │   up    │      d       │
│ varchar │ double │    date    │ boolean │ decimal(3,2) │
├─────────┼────────┼────────────┼─────────┼──────────────┤
│ Ann     │    1.5 │ 2024-01-01 │ true    │         1.50 │
│ NULL    │  -20.0 │ 2024-01-02 │ false   │         1.50 │
└─────────┴────────┴────────────┴─────────┴──────────────┘
"""
LONG = """\
┌───────┬────────┐
│   i   │   d    │
│ int64 │ double │
├───────┼────────┤
│     0 │    0.0 │
│     1 │    0.5 │
│     · │    ·   │
│     · │    ·   │
│     · │    ·   │
│    28 │   14.0 │
│    29 │   14.5 │
├───────┴────────┤
│    30 rows     │
│   (4 shown)    │
└────────────────┘
"""
NONE = """\
┌────────┐
│   a    │
│ int32  │
├────────┤
│ 0 rows │
└────────┘
"""
GROUPED = """\
┌─────────┬──────────┬────────┐
│  items  │   time   │ sum(x) │
│ int32[] │ interval │ double │
├─────────┼──────────┼────────┤
│ [1, 2]  │ 01:30:00 │  -18.5 │
└─────────┴──────────┴────────┘
"""


def show(relation, expected, **options):
    text = relation._box(**options) if options else str(relation)
    print(True if text == expected else text)


show(duckdb.sql("SELECT name, x, day::DATE AS day, x > 0 AS up, 1.50 AS d "
                "FROM df"), FIRST)
show(duckdb.sql("SELECT i, i / 2 AS d FROM range(30) t(i)"), LONG, max_rows=4)
show(duckdb.sql("SELECT 1 AS a WHERE false"), NONE)
show(duckdb.sql("SELECT [1, 2] AS items, INTERVAL 90 MINUTE AS time, "
                "sum(x) FROM df GROUP BY ALL"), GROUPED)
with contextlib.redirect_stdout(io.StringIO()) as printed:
    duckdb.sql("SELECT 1 AS a WHERE false").show()
print(printed.getvalue() == NONE + "\n")
