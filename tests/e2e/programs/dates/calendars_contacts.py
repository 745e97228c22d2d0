# A calendar with times of zoneinfo across the change of the clocks, read again;
# contacts of a vCard.
# expect: success
# needs: icalendar vobject
# files-in: {"c.vcf": "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Roe;Max;;;\r\nFN:Max
#     Roe\r\nEMAIL;TYPE=WORK:max@x.example\r\nEND:VCARD\r\n"}
# stdout: "['2025-03-28 08:30', '2025-04-04 07:30']\n['Europe/Berlin'] Review 1
#     2025-03-28T09:30:00+01:00\n2025-03-28T10:30:00+01:00\nMax Roe
#     max@x.example WORK\nFN:Jane Doe\n"
# files-kinds: {}
# cut
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import vobject
from icalendar import Alarm, Calendar, Event

calendar = Calendar()
calendar.add("prodid", "-//Team//x.example//")
calendar.add("version", "2.0")
begin = datetime(2025, 3, 28, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
for number in range(2):
    event = Event()
    event.add("summary", f"Review {number + 1}")
    event.add("dtstart", begin + timedelta(weeks=number))
    event.add("dtend", begin + timedelta(weeks=number, hours=1))
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", timedelta(minutes=-15))
    event.add_component(alarm)
    calendar.add_component(event)
found = Calendar.from_ical(calendar.to_ical())
print([one.decoded("dtstart").astimezone(timezone.utc).strftime("%F %H:%M")
       for one in found.walk("VEVENT")])
first = found.events[0]
print([str(first["dtstart"].params["TZID"])], first["summary"],
      first.start.isoformat())
print(first.end.isoformat())

with open("c.vcf") as file:
    for card in vobject.readComponents(file.read()):
        print(card.fn.value, card.email.value, card.email.type_param)
card = vobject.vCard()
card.add("n").value = vobject.vcard.Name(family="Doe", given="Jane")
card.add("fn").value = "Jane Doe"
print(card.serialize().splitlines()[2])
