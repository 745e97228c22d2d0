# DuckDB: constructs that the adapter lacks are named, not guessed.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "duckdb: NaN (0 / 0) is not here; divide by nullif(x, 0)\nduckdb:
#     SUMMARIZE is not here; use DESCRIBE, or df().describe()\nduckdb: GROUP BY
#     ROLLUP is not here; use UNION ALL\nduckdb: the function approx_quantile()
#     is not here\nduckdb: the function json_extract() is not here\nduckdb: MAP
#     is not here; use a struct, or a table of two columns\nduckdb: USING SAMPLE
#     is not here; use ORDER BY and LIMIT\nduckdb: ATTACH is not here\nduckdb: a
#     sum of more than 64 bits is not here; cast to DOUBLE first\nduckdb: the
#     type UUID is not here; use VARCHAR or TIMESTAMP\nduckdb: a column of times
#     with a zone is not here; use
#     dt.tz_convert('UTC').dt.tz_localize(None)\nduckdb: IGNORE NULLS is not
#     here; use last_value() of a filtered column\nduckdb: ASOF JOIN is not
#     here; use row_number() and JOIN\nAttributeError duckdb has no
#     ColumnExpression here; duckdb.sql(), connections and relations
#     are\nNotImplementedError duckdb: a table of pyarrow is not here; use
#     df()\nTrue\n"
# cut
import duckdb
import numpy as np
import pandas as pd

df = pd.DataFrame({"x": [1, 2], "y": [0.0, 1.0]})
zoned = pd.DataFrame({"t": pd.to_datetime(["2024-01-01"]).tz_localize("UTC")})
for sql in ("SELECT 0 / y FROM df", "SUMMARIZE df",
            "SELECT x FROM df GROUP BY ROLLUP (x)",
            "SELECT approx_quantile(x, 0.5) FROM df",
            "SELECT json_extract('{}', 'a')", "SELECT MAP {'a': 1}",
            "FROM df USING SAMPLE 1", "ATTACH 'other.db'",
            "SELECT sum(9223372036854775807) FROM df",
            "SELECT 'x'::UUID", "FROM zoned",
            "SELECT last_value(x IGNORE NULLS) OVER () FROM df",
            "FROM df ASOF JOIN df d ON df.x >= d.x"):
    try:
        print(duckdb.sql(sql).fetchall())
    except NotImplementedError as error:
        print(error)
for use in (lambda: duckdb.ColumnExpression("x"),
            lambda: duckdb.sql("FROM df").arrow()):
    try:
        use()
    except (AttributeError, NotImplementedError) as error:
        print(type(error).__name__, error)
print(duckdb.sql("SELECT x FROM df WHERE y = 0").fetchnumpy()["x"]
      .dtype == np.int64)
