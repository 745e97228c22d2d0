# expect: success
# final: ["2024-07-01T12:00:00+02:00", "UTC"]
import time
from datetime import datetime
from zoneinfo import ZoneInfo
[datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin")).isoformat(),
 time.tzname[0]]
