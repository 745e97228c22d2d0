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
                 .tz_convert("US/Pacific")),
    "period": str(pd.Period("2024Q1").end_time.date()),
    "cut": pd.cut(frame.a, 2).cat.codes.tolist(),
}
