# expect: success
# stdout: "2024-03-10T03:30:00-04:00\nAsia/Tokyo 2024-03-10 15:30 JST\nEurope/London 2024-03-10 06:30 GMT\nAsia/Calcutta 2024-03-10 12:00 IST\nUS/Pacific 2024-03-09 22:30 PST\n1970-01-01 00:00:00+00:00\n"
# cut
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

meeting = datetime(2024, 3, 10, 1, 30, tzinfo=ZoneInfo('America/New_York'))
later = meeting.astimezone(timezone.utc) + timedelta(hours=1)
print(later.astimezone(ZoneInfo('America/New_York')).isoformat())
for tz in ('Asia/Tokyo', 'Europe/London', 'Asia/Calcutta', 'US/Pacific'):
    print(tz, meeting.astimezone(ZoneInfo(tz)).strftime('%Y-%m-%d %H:%M %Z'))
print(datetime.fromtimestamp(0, UTC))
