# expect: success
# needs: pytz dateutil
# stdout: "16:00 UTC\n2024-04-05 15:00:00\n[1, 3, 5]\n"
# cut
from datetime import datetime
import pytz
from dateutil import parser
from dateutil.relativedelta import relativedelta
from dateutil.rrule import MONTHLY, rrule

eastern = pytz.timezone('US/Eastern')
dt = eastern.localize(datetime(2024, 7, 4, 12))
print(dt.astimezone(pytz.utc).strftime('%H:%M %Z'))
print(parser.parse('March 5th, 2024 3pm') + relativedelta(months=+1))
print([d.month for d in rrule(MONTHLY, count=3,
                              dtstart=datetime(2024, 1, 31))])
