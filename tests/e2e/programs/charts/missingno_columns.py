# Missingno: which columns and rows are chosen, and dates beside the cells.
# expect: success
# needs: seaborn
# without: missingno
# stdout:
#     "[1, 2, 3, 0] ['b', 'd', 'c', 'a'] ['a', 'c', 'd', 'b']\n['a', 'c']
#     ['b', 'd'] ['a', 'c'] ['b', 'd'] ['b']\nThe \"sort\" parameter must be
#     set to \"ascending\" or \"descending\".\nThe \"axis\" parameter must be
#     set to \"rows\" or \"columns\".\n['2024-01-01', '2024-01-16',
#     '2024-01-31', '2024-02-15'] [0, 15, 30, 45]\nDataframe index must be
#     PeriodIndex or DatetimeIndex.\nCould not divide time index into desired
#     frequency.\n3 [1.0, 1.0, 1.0]\n60 {1}\n"
# cut
import matplotlib.pyplot as plt
import missingno as msno
import numpy as np
import pandas as pd

gap = np.nan
table = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, gap, gap, gap],
                      "c": [1, gap, 3, 4], "d": [1, gap, gap, 4]})
print(list(msno.nullity_sort(table, sort="ascending").index),
      list(msno.nullity_sort(table, sort="ascending", axis="rows")),
      list(msno.nullity_sort(table, sort="descending", axis="rows")))
print(list(msno.nullity_filter(table, filter="top", n=2)),
      list(msno.nullity_filter(table, filter="bottom", n=2)),
      list(msno.nullity_filter(table, filter="top", p=0.75)),
      list(msno.nullity_filter(table, filter="bottom", p=0.5)),
      list(msno.nullity_filter(table, filter="bottom", p=0.75, n=1)))
for wrong in ({"sort": "up"}, {"sort": "ascending", "axis": "x"}):
    try:
        msno.nullity_sort(table, **wrong)
    except ValueError as error:
        print(error)

days = pd.DataFrame({"x": np.where(np.arange(60) % 7, 1.0, gap)},
                    index=pd.date_range("2024-01-01", periods=60))
ax = msno.matrix(days, freq="15D", figsize=(4, 6))
print([text.get_text() for text in ax.get_yticklabels()],
      [int(y) for y in ax.get_yticks()])
for frame, freq in ((table, "D"), (days, "h")):
    try:
        msno.matrix(frame, freq=freq)
    except KeyError as error:
        print(error.args[0])
plt.close("all")

wide = pd.DataFrame(np.eye(60)).replace(0, gap)
ax = msno.bar(wide, filter="top", n=3)
print(len(ax.patches), [float(bar.get_height() * 60) for bar in ax.patches])
plt.close("all")
ax = msno.bar(wide)
print(len(ax.patches), {round(bar.get_width() * 60) for bar in ax.patches})
plt.close("all")
