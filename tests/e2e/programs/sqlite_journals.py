# expect: success
# final: {"delete": 40, "truncate": 40, "persist": 40, "memory": 40,
#    "wal": 40, "off": 40}
# In each journal mode two connections of two threads write to one file.
import os
import sqlite3
import tempfile
import threading

folder = tempfile.mkdtemp()


def fill(path, count):
    with sqlite3.connect(path, timeout=10) as db:
        for _ in range(count):
            db.execute("insert into t values (1)")
            db.commit()
    db.close()


def rows(mode):
    path = os.path.join(folder, mode)
    db = sqlite3.connect(path, timeout=10)
    assert db.execute(f"pragma journal_mode={mode}").fetchone() == (mode,)
    db.execute("create table t (n)")
    db.commit()
    threads = [threading.Thread(target=fill, args=(path, 20))
               for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    return db.execute("select count(*) from t").fetchone()[0]


{mode: rows(mode) for mode in ("delete", "truncate", "persist", "memory",
                               "wal", "off")}
