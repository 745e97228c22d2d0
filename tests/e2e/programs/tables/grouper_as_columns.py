# A Grouper with a key is a column of the result, as in pandas 2.
# expect: success
# needs: pandas
# stdout: "['day', 'shop', 'sold'] ['2024-01-31', '2024-02-29']\n['day', 'shop',
#     'total']\n['day', 'shop', 'sold']\n[('2024-01', 'a'), ('2024-01',
#     'b')]\n(2, 2)\n"
# cut
import pandas as pd

df = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=60),
                   "shop": list("ab") * 30, "sold": range(60)})
month = pd.Grouper(key="day", freq="ME")
table = df.groupby([month, "shop"], as_index=False)["sold"].sum()
print(list(table), table["day"].dt.strftime("%Y-%m-%d").unique().tolist())
print(list(df.groupby([month, "shop"], as_index=False).agg(
    total=("sold", "sum"))))
print(list(df.groupby([month, "shop"])["sold"].sum().reset_index()))
print([(day.strftime("%Y-%m"), shop) for day, shop in
       df.groupby([month, "shop"]).sum().index[:2]])
print(df.set_index("day").groupby([pd.Grouper(freq="ME"), "shop"])
      ["sold"].sum().unstack().shape)
