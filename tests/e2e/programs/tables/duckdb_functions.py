# DuckDB: functions of the program, registered tables, relations.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "[('A!',), (None,), ('B!',)]\nInvalid Input Error: Python exception
#     occurred while executing the UDF: ZeroDivisionError: integer division or
#     modulo by zero\n['w', 'n'] ['VARCHAR', 'BIGINT'] (3, 2)\n[('b', 20),
#     (None, 20)]\n[(1, 1), (2, 1)]\n[(None, 2, 'two'), ('b', 2,
#     'two')]\n('two', 2)\n3 ('a', 1) (2,)\n[('b',)] ('w', 'STRING')\n"
# cut
import duckdb
import pandas as pd
from duckdb.typing import BIGINT


def shout(text: str) -> str:
    return text.upper() + "!"


con = duckdb.connect()
con.create_function("shout", shout)
con.create_function("half", lambda n: 1 // n, [BIGINT], BIGINT)
con.register("words", pd.DataFrame({"w": ["a", None, "b"], "n": [1, 2, 2]}))
print(con.sql("SELECT shout(w) FROM words").fetchall())
try:
    con.sql("SELECT half(n - 1) FROM words").fetchall()
except duckdb.InvalidInputException as error:
    print(error)
words = con.table("words")
print(words.columns, words.types, words.shape)
print(words.filter("n = 2").project("w, n * 10 AS t").order("w").fetchall())
print(words.aggregate("n, count(w) AS c", "n").order("n").fetchall())
other = con.sql("SELECT 2 AS n, 'two' AS name").set_alias("other")
print(words.join(other, "n").fetchall())
print(con.sql("SELECT name, count(*) FROM other JOIN words USING (n) "
              "GROUP BY name").fetchone())
print(len(words), words.limit(1).fetchone(), words.max("n").fetchone())
words.create("kept")
print(con.execute("SELECT w FROM kept WHERE w IN (?, ?)",
                  ["b", "c"]).fetchall(), con.description[0][:2])
