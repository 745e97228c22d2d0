# expect: success
# stdout-has: ["2024-07-01 08:00:00-04:00", "DST"]
# needs: pandas
# cut
import pandas as pd
from datetime import datetime
s = pd.Series(pd.date_range("2024-07-01 12:00", periods=2, freq="h", tz="UTC")).dt.tz_convert("America/New_York")
print(s.iloc[0]); print("DST", bool(s.iloc[0].dst()))
try:
    pd.Timestamp("2024-03-10 02:30").tz_localize("US/Eastern")
except Exception as e: print(type(e).__name__)
print(pd.Timestamp.now("Asia/Kolkata").tzinfo, datetime.now().astimezone().tzname())
