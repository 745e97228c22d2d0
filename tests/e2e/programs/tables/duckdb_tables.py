# DuckDB: tables of a connection, parameters, transactions, errors.
# expect: success
# needs: pandas
# without: duckdb
# stdout:
#     "[(1, 'nail', Decimal('0.10'), datetime.date(2024, 1, 1)), (2, 'saw',
#     Decimal('12.35'), datetime.date(2024, 1, 1)), (3, 'glue', None,
#     datetime.date(2024, 1, 1))]\n('saw',)\n[(3,)]\n(1,)\n(Decimal('24.90'),
#     datetime.date(2024, 1, 1))\n[('saw',)] [('dear',), ('stock',)]\n[['id',
#     'INTEGER', 'NO', 'PRI'], ['name', 'VARCHAR', 'NO', None], ['price',
#     'DECIMAL(8,2)', 'YES', None], ['since', 'DATE', 'YES',
#     None]]\nCatalogException | Catalog Error: Table with name stok does not
#     exist!\nBinderException | Binder Error: Referenced column \"nme\" not
#     found in FROM clause!\nCatalogException | Catalog Error: Scalar Function
#     with name nosuch does not exist!\nParserException | Parser Error: syntax
#     error at or near \"SELEC\"\nConversionException | Conversion Error: Could
#     not convert string 'x' to INT32\nConstraintException | Constraint Error:
#     Duplicate key \"id\" violates unique or primary key
#     constraint.\nConstraintException | Constraint Error: NOT NULL constraint
#     failed: stock.name\nBinderException | Binder Error: column \"name\" must
#     appear in the GROUP BY clause or must be part of an aggregate
#     function.\nBinderException | Binder Error: Cannot compare values of type
#     VARCHAR and type INTEGER - an explicit cast is
#     required\nOutOfRangeException | Out of Range Error: Overflow in addition
#     of INT32!\nInvalidInputException | Invalid Input Error: More than one row
#     returned by a subquery used as an expression - scalar subqueries can only
#     return a single row.\n"
# cut
import duckdb

con = duckdb.connect(":memory:")
con.execute("CREATE TABLE stock (id INTEGER PRIMARY KEY, name VARCHAR NOT "
            "NULL, price DECIMAL(8, 2), since DATE DEFAULT '2024-01-01')")
con.executemany("INSERT INTO stock (id, name, price) VALUES (?, ?, ?)",
                [(1, "nail", 0.1), (2, "saw", 12.345), (3, "glue", None)])
print(con.execute("FROM stock").fetchall())
print(con.execute("SELECT name FROM stock WHERE price > $least",
                  {"least": 1}).fetchone())
print(con.execute("UPDATE stock SET price = price * 2").fetchall())
con.begin()
con.execute("DELETE FROM stock WHERE id < 3")
print(con.execute("SELECT count(*) FROM stock").fetchone())
con.rollback()
print(con.execute("SELECT sum(price), max(since) FROM stock").fetchone())
con.execute("INSERT OR REPLACE INTO stock VALUES (3, 'gum', 1, NULL)")
con.execute("CREATE OR REPLACE VIEW dear AS SELECT name FROM stock "
            "WHERE price > 1")
print(con.sql("SELECT * FROM dear").fetchall(),
      con.sql("SHOW TABLES").fetchall())
print(con.sql("DESCRIBE stock").df()[["column_name", "column_type", "null",
                                      "key"]].values.tolist())
for sql in ("SELECT * FROM stok", "SELECT nme FROM stock",
            "SELECT nosuch(1)", "SELEC 1", "SELECT 'x'::INTEGER",
            "INSERT INTO stock VALUES (1, 'a', 1, NULL)",
            "INSERT INTO stock (id) VALUES (9)",
            "SELECT name, count(*) FROM stock",
            "SELECT name = 1 FROM stock", "SELECT 2147483647 + 1",
            "SELECT (SELECT id FROM stock)"):
    try:
        print(con.execute(sql).fetchall())
    except duckdb.Error as error:
        print(type(error).__name__, "|", str(error).splitlines()[0])
con.close()
