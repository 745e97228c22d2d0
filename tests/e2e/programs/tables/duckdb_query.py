# DuckDB: SQL over a table of pandas.
# expect: success
# needs: pandas
# without: duckdb
# stdout: "   sum(x)\n0     6.0\n"
# cut
import duckdb
import pandas as pd

df = pd.DataFrame({"x": [1, 2, 3]})
print(duckdb.query("SELECT SUM(x) FROM df").to_df())
