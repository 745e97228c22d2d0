# expect: success
# make: database
# final: 42
# check: check_database
import sqlite3
base = sqlite3.connect("data/store.sqlite")
before = base.execute("SELECT sum(count) FROM stock").fetchone()[0]
base.execute("INSERT INTO stock VALUES ('screw', 58)")
base.commit()
base.close()
before
