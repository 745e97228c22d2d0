# Time zones, resampling, rolling windows, merges, eval and query.
import pandas as pd

index = pd.date_range("2024-03-30 22:00", periods=6, freq="H", tz="UTC")
series = pd.Series(range(6), index=index)
local = series.tz_convert("Europe/Berlin")
days = series.resample("D").sum()
left = pd.DataFrame({"k": ["a", "b", "c"], "v": [1, 2, 3]})
right = pd.DataFrame({"k": ["b", "c", "d"], "w": [20, 30, 40]})
frame = pd.DataFrame({"a": range(5), "b": range(5, 10)})
{
    "local": [str(stamp) for stamp in local.index],
    "days": {str(key.date()): int(value) for key, value in days.items()},
    "rolling": series.rolling(3).sum().dropna().tolist(),
    "merge": left.merge(right, on="k", how="outer").fillna(0)
    .values.tolist(),
    "eval": frame.eval("a * b + 1").tolist(),
    "query": frame.query("a > 2 and b < 9")["b"].tolist(),
    "pivot": frame.assign(c=frame.a % 2).pivot_table(
        index="c", values="b", aggfunc="sum")["b"].tolist(),
    "tokyo": str(pd.Timestamp("2024-01-01", tz="Asia/Tokyo")
                 .tz_convert("America/Los_Angeles")),
    "period": str(pd.Period("2024Q1").end_time.date()),
    "cut": pd.cut(frame.a, 2).cat.codes.tolist(),
}
# expected: {
#   "local": ["2024-03-30 23:00:00+01:00", "2024-03-31 00:00:00+01:00", "2024-03-31 01:00:00+01:00", "2024-03-31 03:00:00+02:00", "2024-03-31 04:00:00+02:00", "2024-03-31 05:00:00+02:00"],
#   "days": {"2024-03-30": 1, "2024-03-31": 14},
#   "rolling": [3.0, 6.0, 9.0, 12.0],
#   "merge": [["a", 1.0, 0.0], ["b", 2.0, 20.0], ["c", 3.0, 30.0], ["d", 0.0, 40.0]],
#   "eval": [1, 7, 15, 25, 37],
#   "query": [8],
#   "pivot": [21, 14],
#   "tokyo": "2023-12-31 07:00:00-08:00",
#   "period": "2024-03-31",
#   "cut": [0, 0, 0, 1, 1]
# }
