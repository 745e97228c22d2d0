# DuckDB: columns of pandas, there and back.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "['BIGINT', 'BOOLEAN', 'FLOAT', 'DATE', 'DECIMAL(4,2)', 'INTEGER[]',
#     'INTERVAL', 'VARCHAR', 'INTEGER']\n(1, True, 0.5, datetime.date(2024, 1,
#     1), Decimal('1.25'), [1, 2], datetime.timedelta(days=1, seconds=7200),
#     '1', None)\n(None, None, 2.0, None, Decimal('10.50'), [3], None, 'y',
#     None)\n['float64', 'object', 'float32', 'float64', 'object', 'object',
#     'float64']\n1.0 [True, None] [1, 2] [False, True]\n[(False, 2,
#     Decimal('2.50'), '1', 1, None), (True, None, Decimal('21.00'), 'Y', 1,
#     None)]\n"
# cut
import datetime
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd

table = pd.DataFrame({
    "i": pd.array([1, None], dtype="Int64"),
    "b": pd.array([True, None], dtype="boolean"),
    "f": np.array([0.5, 2], dtype="float32"),
    "d": [datetime.date(2024, 1, 1), None],
    "n": [Decimal("1.25"), Decimal("10.5")],
    "l": [[1, 2], [3]],
    "t": pd.to_timedelta(["1 days 02:00:00", None]),
    "x": [1, "y"], "z": [None, None]})
relation = duckdb.sql(
    "SELECT * FROM \"table\"")
print(relation.types)
for row in relation.fetchall():
    print(row)
made = relation.df()
print([str(one) for one in made.dtypes if one.kind not in "mM"])
print(made["i"].tolist()[0], made["b"].tolist(), made["l"][0].tolist(),
      made["d"].isna().tolist())
print(duckdb.sql("SELECT f > 0.5 AS more, i + 1 AS i, n * 2 AS n, upper(x) "
                 "AS x, sum(i) OVER () AS s, z FROM \"table\"").fetchall())
