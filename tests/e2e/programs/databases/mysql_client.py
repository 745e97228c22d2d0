# expect: failure
# error: ModuleNotFoundError
# told: ["mysql is not installed", "no network", "Send the data as a file"]
# without: mysql
# cut
import mysql.connector

conn = mysql.connector.connect(host="localhost", user="root", password="")
print(conn.is_connected())
