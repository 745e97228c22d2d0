# Holidays of a country's part by subdiv=, and Juneteenth.
# expect: success
# needs: holidays below:3.12
# stdout:
#     "True False Germany\nTrue\n['2021-06-18', '2021-06-19',
#     '2024-06-19']\nTrue False True\n"
# cut
from datetime import date

import holidays

by = holidays.Germany(subdiv="BY", years=2024)
be = holidays.Germany(subdiv="BE", years=2024)
print(date(2024, 1, 6) in by, date(2024, 1, 6) in be, type(by).__name__)
print(date(2024, 3, 31) in holidays.US(subdiv="CA", years=2024))
usa = holidays.US(years=[2020, 2021, 2024])
print([day.isoformat() for day, name in sorted(usa.items())
       if "Juneteenth" in name])
print(date(2022, 6, 20) in holidays.country_holidays("US"),
      date(2022, 6, 20) in holidays.UnitedStates(observed=False),
      date(2024, 8, 15) in holidays.country_holidays("DE", subdiv="SL"))
