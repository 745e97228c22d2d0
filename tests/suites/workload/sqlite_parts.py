# A data base in a file: journals, WAL, two connections, FTS, functions.
import os
import sqlite3

import pandas as pd

base = sqlite3.connect("base.db")
base.execute("create table t (id integer primary key, name text, x real)")
with base:
    base.executemany("insert into t (name, x) values (?, ?)",
                     [(f"n{i}", i / 4) for i in range(1000)])
base.create_function("twice", 1, lambda value: value * 2)
result = {"sum": base.execute("select sum(x) from t").fetchone()[0],
          "twice": base.execute("select twice(21)").fetchone()[0]}
try:
    with base:
        base.execute("insert into t (name) values ('lost')")
        raise KeyError
except KeyError:
    result["count"] = base.execute("select count(*) from t").fetchone()[0]
other = sqlite3.connect("base.db")
result["other"] = other.execute("select max(id) from t").fetchone()[0]
other.close()
result["journal"] = base.execute(
    "pragma journal_mode = delete").fetchone()[0]
base.execute("vacuum")
copy = sqlite3.connect(":memory:")
base.backup(copy)
result["copy"] = copy.execute("select count(*) from t").fetchone()[0]
copy.execute("create virtual table f using fts5(words)")
copy.execute("insert into f values ('a quick fox')")
result["fts"] = copy.execute(
    "select count(*) from f where f match 'quick'").fetchone()[0]
frame = pd.read_sql("select * from t where id < 4", base)
result["frame"] = frame["name"].tolist()
frame.to_sql("kept", base, index=False)
result["kept"] = base.execute("select count(*) from kept").fetchone()[0]
base.close()
os.remove("base.db")
result
# expected: {
#   "sum": 124875.0,
#   "twice": 42,
#   "count": 1000,
#   "other": 1000,
#   "journal": "delete",
#   "copy": 1000,
#   "fts": 1,
#   "frame": ["n0", "n1", "n2"],
#   "kept": 3
# }
