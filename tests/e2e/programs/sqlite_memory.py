# expect: success
# final: [[1, "a"], [2, "b"]]
import sqlite3
base = sqlite3.connect(":memory:")
base.execute("CREATE TABLE t (n INTEGER, x TEXT)")
base.executemany("INSERT INTO t VALUES (?, ?)", [(1, "a"), (2, "b")])
base.execute("SELECT * FROM t ORDER BY n").fetchall()
