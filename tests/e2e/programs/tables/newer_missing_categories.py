# pandas 2: dropna=False keeps rows without a category; times of an index have
# no freq= in their repr; to_latex() warns of nothing and changes no sign.
# expect: success
# needs: pandas
# stdout:
#     "{'observed': False}\n       count  sum\nteam             \nred        2    5\ngreen      0    0\nblue       2    9\nNaN        2    7\n{'observed':
#     True}\n      count  sum\nteam            \nred       2    5\nblue      2    9\nNaN       2    7\n{'observed':
#     True, 'sort': False}\n      count  sum\nteam            \nred       2    5\nNaN       2    7\nblue      2    9\n{'observed':
#     False, 'sort': False}\n       count  sum\nteam             \nred        2    5\nNaN        2    7\nblue       2    9\ngreen      0    0\n[5,
#     7, 9, 5, 7, 9]\n[1, 3, 2, 4, 6, 5]\nred [1, 4]\nblue [3, 6]\nnan [2,
#     5]\n{'red': 5, 'blue': 9}\n{Timestamp('2024-01-01 00:00:00'): 6,
#     Timestamp('2024-01-02 00:00:00'): 15} [Timestamp('2024-01-02
#     00:00:00')]\nTimestamp('2024-01-07 00:00:00+0000',
#     tz='UTC')\n\\begin{tabular}{lr} \\toprule part & size \\\\ \\midrule 50%
#     & more & 1.50 \\\\ \\bottomrule \\end{tabular}\n"
# cut
import pandas as pd

calls = pd.DataFrame({
    "team": pd.Categorical(["red", None, "blue", "red", None, "blue"],
                           categories=["red", "green", "blue"]),
    "day": pd.to_datetime(["2024-01-01"] * 3 + ["2024-01-02"] * 3),
    "calls": [1, 2, 3, 4, 5, 6]})
for options in ({}, {"observed": True}, {"observed": True, "sort": False},
                {"observed": False, "sort": False}):
    options = {"observed": False, **options}
    print(options)
    print(calls.groupby("team", dropna=False, **options)["calls"].agg(
        ["count", "sum"]))
print(calls.groupby("team", dropna=False, observed=True)["calls"]
      .transform("sum").tolist())
print(calls.groupby(["day", "team"], dropna=False, observed=True)["calls"]
      .sum().tolist())
for name, part in calls.groupby("team", dropna=False, observed=True):
    print(name, part["calls"].tolist())
print(calls.groupby("team", observed=True)["calls"].sum().to_dict())
daily = calls.set_index("day")["calls"].resample("D").sum()
print(daily.to_dict(), [daily.idxmax()])
print(repr(pd.date_range("2024-01-01", periods=1, tz="UTC", freq="W")[0]))
latex = pd.DataFrame({"part": ["50% & more"], "size": [1.5]}).to_latex(
    index=False, float_format="%.2f")
print(" ".join(latex.split()))
