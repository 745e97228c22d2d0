# Bars of prices of own axes and a line that is shown at once.
# expect: success
# results: ["image/png", "image/png"]
# stdout: "1 8 11:00\nColumn \"Open\" NOT FOUND in Input DataFrame!\n"
# cut
import matplotlib.pyplot as plt
import mplfinance as mpf
import pandas as pd

hours = pd.date_range("2024-03-01 09:00", periods=8, freq="h")
df = pd.DataFrame({"open": [1, 2, 3, 4, 4, 3, 2, 2],
                   "high": [3, 4, 5, 5, 5, 4, 3, 4],
                   "low": [0, 1, 2, 3, 2, 1, 1, 1],
                   "close": [2, 3, 4, 4.5, 3, 2, 1.5, 3],
                   "volume": [5, 6, 7, 8, 7, 6, 5, 9]}, index=hours)
names = ("open", "high", "low", "close", "volume")
mpf.plot(df, type="line", columns=names, volume=True, axtitle="One day")
figure, (above, below) = plt.subplots(2, 1, figsize=(6, 5))
mpf.plot(df, type="ohlc", columns=names, ax=above, volume=below)
print(len(above.collections), len(below.patches),
      above.xaxis.get_major_formatter()(2))
plt.show()
try:
    mpf.plot(df)
except ValueError as error:
    print(str(error).splitlines()[0])
