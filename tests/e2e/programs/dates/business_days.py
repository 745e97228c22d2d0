# expect: success
# needs: pandas
# stdout: "2024-07-05\n23\nFebruary 2024\n359\n10\n['Wednesday', 'Thursday'] [1, 1]\n"
# cut
import calendar
from datetime import date, datetime
import numpy as np
import pandas as pd
from pandas.tseries.holiday import USFederalHolidayCalendar
from pandas.tseries.offsets import CustomBusinessDay

us = CustomBusinessDay(calendar=USFederalHolidayCalendar())
print((pd.Timestamp('2024-07-03') + us).date())
print(np.busday_count('2024-01-01', '2024-02-01'))
print(calendar.month(2024, 2).splitlines()[0].strip())
print((date(2024, 12, 25) - date(2024, 1, 1)).days)
print(datetime.strptime('05/Mar/2024', '%d/%b/%Y').isocalendar()[1])
s = pd.to_datetime(pd.Series(['2024-01-31', '2024-02-29']))
print(s.dt.day_name().tolist(), s.dt.quarter.tolist())
