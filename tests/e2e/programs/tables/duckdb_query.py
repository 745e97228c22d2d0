# expect: failure
# error: ModuleNotFoundError
# told: ["duckdb", "sqlite3"]
# without: duckdb
# cut
import duckdb
import pandas as pd

df = pd.DataFrame({"x": [1, 2, 3]})
print(duckdb.query("SELECT SUM(x) FROM df").to_df())
