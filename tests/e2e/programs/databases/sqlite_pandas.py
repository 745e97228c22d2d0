# expect: success
# needs: pandas
# stdout: "[{'item': 'book', 'total': 12.0}, {'item': 'pen', 'total': 7.3}]\n"
# files-kinds: {"shop.db": "sqlite"}
# cut
import sqlite3
import pandas as pd

conn = sqlite3.connect('/mnt/data/shop.db')
cur = conn.cursor()
cur.execute('PRAGMA journal_mode=WAL')
cur.execute('''CREATE TABLE IF NOT EXISTS sales (
    id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, qty INTEGER,
    price REAL)''')
cur.executemany('INSERT INTO sales (item, qty, price) VALUES (?, ?, ?)',
                [('pen', 3, 1.5), ('book', 1, 12.0), ('pen', 2, 1.4)])
conn.commit()
df = pd.read_sql_query('SELECT item, SUM(qty * price) AS total FROM sales '
                       'GROUP BY item ORDER BY total DESC', conn)
print(df.to_dict('records'))
conn.execute('PRAGMA wal_checkpoint(TRUNCATE)')
cur.close()
conn.close()
