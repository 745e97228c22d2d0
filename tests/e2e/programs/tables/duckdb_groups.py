# DuckDB: groups, their aggregates, and the types of the results.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "['region', 'count_star()', 'count(price)', 'q', 'avg(price)',
#     'median(qty)', 'many']\n[['S', 2, 2, 7.0, 5.0, 3.5, 1], ['E', 1, 1, 4.0,
#     2.5, 4.0, 1], ['N', 2, 1, 4.0, 10.0, 2.0, 1]]\n['object', 'int64',
#     'int64', 'float64', 'float64', 'float64', 'int64']\n[(datetime.date(2024,
#     1, 1), 3, 3), (datetime.date(2024, 2, 1), 7, 10), (datetime.date(2024, 3,
#     1), 5, 15)]\n['DATE', 'HUGEINT', 'HUGEINT']\n('S-E-N-S-N', ['N', 'S',
#     'E'], 'N', 'N', 2.0)\n[('E', 10.0), ('N', 10.0), ('S', 38.0)]\n"
# cut
import duckdb
import pandas as pd

sales = pd.DataFrame({
    "region": ["N", "S", "N", "E", "S"],
    "price": [10.0, 4.0, None, 2.5, 6.0],
    "qty": [1, 2, 3, 4, 5],
    "sold": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-01",
                            "2024-02-10", "2024-03-31"])})
table = duckdb.sql("""
    SELECT region, count(*), count(price), sum(qty) AS q, avg(price),
           median(qty), count(*) FILTER (WHERE qty > 2) AS many
    FROM sales GROUP BY ALL ORDER BY q DESC, region""").df()
print(list(table))
print(table.values.tolist())
print(table.dtypes.astype(str).tolist())
month = duckdb.sql("""
    SELECT date_trunc('month', sold) AS m, sum(qty) AS q,
           sum(sum(qty)) OVER (ORDER BY m) AS so_far
    FROM sales GROUP BY m ORDER BY m""")
print(month.fetchall())
print(month.types)
print(duckdb.sql("""
    SELECT string_agg(region, '-' ORDER BY qty DESC), list(DISTINCT region),
           arg_max(region, price), mode(region), quantile_cont(qty, 0.25)
    FROM sales""").fetchone())
print(duckdb.sql("""
    SELECT region, sum(price * qty) AS r FROM sales
    GROUP BY region HAVING r > 9 ORDER BY r""").fetchall())
