# DuckDB: where its values differ from those of SQLite.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "[(3.5, 3, -3, None, inf)]\n[(Decimal('0.3'), Decimal('3.0'),
#     Decimal('1.10'), 2.5)]\n[(False, True, True, 'x1')]\n[(Decimal('2.68'),
#     2.68, Decimal('-3'))]\n[(13, None, 3)]\n[(datetime.datetime(2024, 2, 29,
#     0, 0), 29, datetime.date(2024, 3, 1))]\n[(1,
#     0)]\n[(datetime.timedelta(days=1, seconds=10800), 'Thursday', 1,
#     '3.02.24')]\n[(3, [1, 2, 3], 3, [10, 20], 1)]\n[(3, 'z', None)]\n[('a#b#',
#     '42', 'b', '007')]\n[('INTEGER', 'BIGINT', 'DECIMAL(3,2)', 'DOUBLE',
#     'BOOLEAN[]', 'HUGEINT', 'DATE')]\n[(0,), (1,), (2,)]\n['(1 + 2)',
#     'count_star()', 'sum((a * 2))', \"upper('x')\", 'CAST(a AS VARCHAR)', '(a
#     IS NULL)']\n"
# cut
import duckdb

con = duckdb.connect()
for sql in (
        "SELECT 7 / 2, 7 // 2, -7 // 2, 7 % 0, 1 / 0",
        "SELECT 0.1 + 0.2, 1.5 * 2, 1.10, 10.0 / 4",
        "SELECT 'a' LIKE 'A', 'a' ILIKE 'A', 'b' > 'B', 'x' || 1",
        "SELECT round(2.675, 2), round(2.675::DOUBLE, 2), round(-2.5)",
        "SELECT CAST('12' AS INTEGER) + 1, TRY_CAST('a' AS DATE), 2.5::INT",
        "SELECT DATE '2024-01-31' + INTERVAL 1 MONTH, "
        "DATE '2024-03-01' - DATE '2024-02-01', DATE '2024-02-28' + 2",
        "SELECT date_diff('month', DATE '2024-01-31', DATE '2024-02-01'), "
        "date_sub('month', DATE '2024-01-31', DATE '2024-02-01')",
        "SELECT TIMESTAMP '2024-01-02 03:00:00' - "
        "TIMESTAMP '2024-01-01 00:00:00', dayname(DATE '2024-02-29'), "
        "week(DATE '2024-12-30'), strftime(DATE '2024-02-03', '%-d.%m.%y')",
        "SELECT [3, 1, 2][1], list_sort([3, 1, 2]), len('héé'), "
        "list_transform([1, 2], x -> x * 10), {'a': 1}.a",
        "SELECT greatest(1, NULL, 3), coalesce(NULL, 'z'), nullif(1, 1)",
        "SELECT regexp_replace('a1b2', '[0-9]', '#', 'g'), "
        "regexp_extract('k=42', '([a-z])=([0-9]+)', 2), "
        "split_part('a-b-c', '-', 2), lpad('7', 3, '0')",
        "SELECT typeof(1), typeof(3000000000), typeof(1.50), typeof(1 / 2), "
        "typeof([true]), typeof(sum(1)), typeof(DATE '2024-01-01' + 1)",
        "SELECT unnest(range(3)) AS n"):
    print(con.execute(sql).fetchall())
names = con.execute("SELECT 1 + 2, count(*), sum(a * 2), upper('x'), "
                    "CAST(a AS VARCHAR), a IS NULL FROM (SELECT 1 AS a) "
                    "GROUP BY ALL").description
print([name for name, *_ in names])
