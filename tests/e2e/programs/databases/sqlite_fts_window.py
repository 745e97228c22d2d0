# expect: success
# stdout-has: ["[('b', 2)]", "fts ['hello world']"]
# cut
import sqlite3
con = sqlite3.connect(":memory:"); con.row_factory = sqlite3.Row
con.executescript("create table s(k, v); insert into s values('a',1),('b',2); create virtual table d using fts5(t);")
con.execute("insert into d values (?)", ("hello world",))
print([tuple(r) for r in con.execute("select k, v from (select *, row_number() over (order by v desc) n from s) where n = 1")])
print("fts", [r["t"] for r in con.execute("select t from d where d match 'hello'")])
con.create_function("rev", 1, lambda s: s[::-1]); print(con.execute("select rev('abc'), json_extract('{\"a\":5}', '$.a')").fetchone()[:])
