# Write-ahead logging: needs memory shared through a file, and locks.
import os
import sqlite3

base = sqlite3.connect("wal.db")
mode = base.execute("pragma journal_mode = wal").fetchone()[0]
base.execute("create table t (n)")
base.execute("insert into t values (1)")
base.commit()
reader = sqlite3.connect("wal.db")
seen = reader.execute("select n from t").fetchone()[0]
base.execute("insert into t values (2)")
base.commit()
later = reader.execute("select count(*) from t").fetchone()[0]
reader.close()
base.close()
left = sorted(os.listdir("."))
os.remove("wal.db")
{"mode": mode, "seen": seen, "later": later, "left": left}
# expected: {
#   "mode": "wal",
#   "seen": 1,
#   "later": 2,
#   "left": ["wal.db"]
# }
