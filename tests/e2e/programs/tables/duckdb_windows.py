# DuckDB: windows, QUALIFY, common tables, joins.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "[(1, 2, None), (2, 4, None), (3, 3, -10), (4, 1, 30)]\n[('a', 1), ('b',
#     4)]\n[(1, 20.0), (2, 20.0), (3, 23.333333333333332), (4, 30.0)]\n[('a', 1,
#     'Rome'), ('a', 3, 'Rome'), ('b', 2, None), ('b', 4, None), ('c', None,
#     'Oslo')]\n[('c', 'Oslo')]\n[(1, 0), (2, 1), (3, 1), (4, 2)]\n[(1,),
#     (4,)]\n[(4, 'b', 10.0), (1, 'a', 7.5)]\n[('a', 20), ('b', 10)]\n[('a',
#     None, 50), ('b', 50, None)]\n[(4,), (2,), (3,), (1,)]\n[(None,)]\n"
# cut
import duckdb
import pandas as pd

people = pd.DataFrame({"id": [1, 2, 3, 4], "team": ["a", "b", "a", "b"],
                       "pay": [30, 10, 20, 40], "boss": [None, 1, 1, 2]})
teams = pd.DataFrame({"team": ["a", "c"], "town": ["Rome", "Oslo"]})
for sql in (
        "SELECT id, rank() OVER (ORDER BY pay DESC) AS r, pay - lag(pay) "
        "OVER (PARTITION BY team ORDER BY id) AS more FROM people "
        "ORDER BY id",
        "SELECT team, id FROM people QUALIFY row_number() OVER "
        "(PARTITION BY team ORDER BY pay DESC) = 1 ORDER BY team",
        "SELECT id, avg(pay) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND "
        "1 FOLLOWING) FROM people ORDER BY ALL",
        "SELECT team, id, town FROM people FULL JOIN teams USING (team) "
        "ORDER BY team, id",
        "FROM teams ANTI JOIN people USING (team)",
        "WITH RECURSIVE up(id, depth) AS (SELECT id, 0 FROM people WHERE "
        "boss IS NULL UNION ALL SELECT p.id, depth + 1 FROM people p JOIN up "
        "ON p.boss = up.id) SELECT * FROM up ORDER BY id",
        "SELECT id FROM people p WHERE pay > (SELECT avg(pay) FROM people q "
        "WHERE q.team = p.team) ORDER BY id",
        "SELECT * EXCLUDE (boss) REPLACE (pay / 4 AS pay) FROM people "
        "ORDER BY pay DESC LIMIT 2",
        "SELECT DISTINCT ON (team) team, pay FROM people ORDER BY team, pay",
        "PIVOT (SELECT team, id % 2 AS odd, pay FROM people) ON odd "
        "USING sum(pay) ORDER BY team",
        "SELECT id FROM people ORDER BY boss DESC, id",
        "SELECT boss FROM people EXCEPT SELECT id FROM people"):
    print(duckdb.sql(sql).fetchall())
