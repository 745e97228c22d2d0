# DuckDB: CSV files with its guesses of types, COPY, JSON.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "('day', 'DATE')\n['DATE', 'VARCHAR', 'BOOLEAN', 'DOUBLE',
#     'BIGINT']\n[(datetime.date(2024, 1, 1), 'Rome', True, 0.5, 1),
#     (datetime.date(2024, 1, 3), 'Oslo', True, None,
#     3)]\n[(2,)]\nday,town,share\n2024-01-01,Rome,0.5\n2024-01-02,\"a,
#     b\",2.0\n2024-01-03,Oslo,\n\n['n,ok', '3,true', '2,false']\n[(6,
#     'Rome')]\nIO Error: No files found that match the pattern \"none.csv\"\n"
# cut
import os

import duckdb

with open("log.csv", "w") as file:
    file.write("day;town;ok;share;n\n2024-01-01;Rome;true;0.5;1\n"
               "2024-01-02;;false;2;2\n2024-01-03;Oslo;true;;3\n")
print(duckdb.sql("DESCRIBE FROM 'log.csv'").fetchall()[0][:2])
print(duckdb.read_csv("log.csv").types)
print(duckdb.sql("SELECT * FROM 'log.csv' WHERE ok").fetchall())
print(duckdb.sql("SELECT n::INTEGER AS n FROM read_csv('log.csv', "
                 "header = true, delim = ';', types = {'day': 'VARCHAR'}) "
                 "WHERE day LIKE '%2'").fetchall())
duckdb.sql("COPY (SELECT day, coalesce(town, 'a, b') AS town, share FROM "
           "'log.csv') TO 'out.csv' (HEADER, DELIMITER ',')")
with open("out.csv") as file:
    print(file.read())
duckdb.sql("CREATE TABLE log AS FROM 'log.csv'")
duckdb.table("log").filter("n > 1").project("n, ok").order("n DESC") \
    .to_csv("few.csv")
with open("few.csv") as file:
    print(file.read().split())
duckdb.sql("COPY (SELECT n, town FROM log) TO 'log.json'")
print(duckdb.sql("SELECT sum(n), max(town) FROM 'log.json'").fetchall())
try:
    duckdb.sql("FROM 'none.csv'")
except duckdb.IOException as error:
    print(error)
for name in ("log.csv", "out.csv", "few.csv", "log.json"):
    os.remove(name)
