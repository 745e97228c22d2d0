# expect: failure
# error: ModuleNotFoundError
# told: ["mysql is not installed", "no network", "sqlite3"]
# without: mysql
# cut
import mysql.connector

conn = mysql.connector.connect(host="localhost", user="root", password="")
print(conn.is_connected())
