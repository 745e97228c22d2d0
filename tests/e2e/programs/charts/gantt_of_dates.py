# Bars that begin at dates: ticks are dates, as since matplotlib 3.8, and other
# bars are as they were.
# expect: success
# needs: matplotlib
# final: [true, true, ["2024", "2024"], [[0.0, 2.0], [1.0, 3.0]], ["a"]]
# cut
from datetime import datetime, timedelta

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import pandas as pd

start = datetime(2024, 9, 2)


def is_dated(axis):
    return isinstance(axis.get_major_locator(), mdates.AutoDateLocator)


fig, (one, two, three) = plt.subplots(3)
one.barh("a", timedelta(days=3), left=start)
one.barh("b", timedelta(days=2), left=start + timedelta(days=3))
plan = pd.DataFrame({"t": ["a", "b"], "s": pd.to_datetime(["2024-09-02"] * 2),
                     "d": [3, 5]})
two.barh(plan["t"], plan["d"], left=plan["s"], color=["r", "g"])
two.xaxis.set_major_formatter(mdates.DateFormatter("%Y"))
two.set_xticks(two.get_xticks()[:2])
three.bar(["a"], [timedelta(days=1)], bottom=[start])
fig.canvas.draw()
years = [tick.get_text() for tick in two.get_xticklabels()]
plain = plt.figure().add_subplot()
bars = plain.bar([0, 1], [2, 3], bottom=[0, 1])
named = plt.figure().add_subplot()
named.barh(y=["a"], width=[1])
shown = [tick.get_text() for tick in named.get_yticklabels()]
found = [[float(bar.get_y()), float(bar.get_height())] for bar in bars]
plt.close("all")
[is_dated(one.xaxis), is_dated(three.yaxis), years, found, shown]
