# expect: success
# needs: pandas
# final: ["2024-01-02 03:00:00", null, null, "1 days 00:00:00", "(0, 1]",
#    "2024-01", "2024-01-02", ["2024-01-02", null], "2024-01-02T00:00:00",
#    "1 days", ["(1+2j)"], {"a": [null, 1.0]}]
# warnings: ["4 values that are NaN, NaT or infinite became null, because
#    JSON has none of them"]
import numpy as np
import pandas as pd

[pd.Timestamp(2024, 1, 2, 3), pd.NaT, pd.NA, pd.Timedelta(days=1),
 pd.Interval(0, 1), pd.Period("2024-01", "M"), np.datetime64("2024-01-02"),
 np.array(["2024-01-02", "NaT"], dtype="datetime64[D]"),
 np.datetime64("2024-01-02T00:00:00"), np.timedelta64(1, "D"),
 np.array([1 + 2j]), {"a": [np.float64("nan"), 1.0]}]
