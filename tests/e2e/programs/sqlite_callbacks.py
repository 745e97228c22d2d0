# expect: success
# final: [[5, 25], "b", ["A", "b"], true]
# SQL functions, aggregates and collations are callbacks from C.
import sqlite3


class Longest:
    def __init__(self):
        self.text = ""

    def step(self, text):
        self.text = max(self.text, text, key=len)

    def finalize(self):
        return self.text


db = sqlite3.connect(":memory:")
db.create_function("square", 1, lambda n: n * n)
db.create_aggregate("longest", 1, Longest)
db.create_collation("folded", lambda a, b: (a.lower() > b.lower()) -
                    (a.lower() < b.lower()))
asked = []
db.set_authorizer(lambda *words: asked.append(words) or sqlite3.SQLITE_OK)
db.execute("create table t (name text)")
db.executemany("insert into t values (?)", [("b",), ("A",)])
[list(db.execute("select 5, square(5)").fetchone()),
 db.execute("select longest(name) from t").fetchone()[0],
 [name for name, in db.execute("select name from t order by name "
                               "collate folded")],
 bool(asked)]
