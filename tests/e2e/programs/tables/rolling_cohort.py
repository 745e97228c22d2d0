# expect: success
# stdout-has: ["2024-01", "retention"]
# needs: pandas numpy
# cut
import pandas as pd, numpy as np
rng = np.random.default_rng(5)
ev = pd.DataFrame({"user": rng.integers(0, 30, 300), "ts": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 150, 300), unit="D")})
ev["month"] = ev["ts"].dt.to_period("M")
ev["cohort"] = ev.groupby("user")["month"].transform("min")
ev["age"] = (ev["month"] - ev["cohort"]).apply(lambda d: d.n)
ret = ev.groupby(["cohort", "age"])["user"].nunique().unstack(fill_value=0)
print("retention"); print(ret.div(ret[0], axis=0).round(2))
daily = ev.set_index("ts").resample("W")["user"].count().rolling(4, min_periods=1).mean()
print(daily.tail(2))
