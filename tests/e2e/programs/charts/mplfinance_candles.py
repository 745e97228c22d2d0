# Candles with volumes, averages and indicators in panels.
# expect: success
# files-kinds: {"candles.png": "png", "panels.png": "png"}
# stdout: "6 Price Volume  $10^{6}$ RSI 60\nPolyCollection 60
#     True\nTrue\nNotImplementedError plot(type='renko') is not here; candle,
#     ohlc and line are\nKeyError 'Unrecognized kwarg=\"nonsense\"'\n"
# cut
import mplfinance as mpf
import numpy as np
import pandas as pd

rng = np.random.default_rng(7)
days = pd.date_range("2024-01-01", periods=60, freq="B")
close = 100 + rng.normal(0, 2, 60).cumsum()
start = close + rng.normal(0, 1.5, 60)
df = pd.DataFrame({"Open": start, "Close": close,
                   "High": np.maximum(start, close) + 1,
                   "Low": np.minimum(start, close) - 1,
                   "Volume": rng.integers(1_000_000, 5_000_000, 60)},
                  index=days)
mpf.plot(df, type="candle", volume=True, mav=(5, 20), style="yahoo",
         title="ACME", ylabel="Price ($)", savefig="candles.png")

change = df["Close"].diff()
gain = change.clip(lower=0).rolling(14).mean()
loss = -change.clip(upper=0).rolling(14).mean()
rsi = 100 - 100 / (1 + gain / loss)
buy = pd.Series(np.where(change > 3, df["Low"] - 2, np.nan), index=days)
added = [mpf.make_addplot(df["Close"].ewm(span=10).mean(), color="orange"),
         mpf.make_addplot(buy, type="scatter", marker="^", markersize=80),
         mpf.make_addplot(rsi, panel=2, ylabel="RSI", color="purple")]
colors = mpf.make_marketcolors(up="green", down="red", inherit=True)
style = mpf.make_mpf_style(base_mpf_style="charles", marketcolors=colors)
fig, axes = mpf.plot(df, type="candle", style=style, volume=True,
                     addplot=added, panel_ratios=(4, 1, 1), figsize=(10, 8),
                     hlines=dict(hlines=[95, 105], linestyle="--"),
                     returnfig=True)
axes[0].set_title("With indicators")
fig.savefig("panels.png")
print(len(axes), axes[0].get_ylabel(), axes[2].get_ylabel(),
      axes[4].get_ylabel(), len(axes[2].patches))
boxes = axes[0].collections[1]
print(type(boxes).__name__, len(boxes.get_paths()),
      int((boxes.get_facecolors()[:, 1] > 0.4).sum()) ==
      int((df["Close"] > df["Open"]).sum()))
print("yahoo" in mpf.available_styles())
for wrong in ({"type": "renko"}, {"nonsense": 1}):
    try:
        mpf.plot(df, **wrong)
    except (NotImplementedError, KeyError) as error:
        print(type(error).__name__, error)
