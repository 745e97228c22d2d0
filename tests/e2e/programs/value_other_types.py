# expect: success
# final: ["1.10", "2024-01-02 03:04:00", "2024-01-02", "1 day, 0:00:00",
#    "b'a\\x00b'", "(1+2j)", "1/3", "/home/user/a.txt",
#    "00000000-0000-0000-0000-000000000001", "Color.RED", [1, 2],
#    "range(0, 3)", "<class 'int'>", "Ellipsis"]
from collections import namedtuple
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from uuid import UUID

Color = Enum("Color", "RED")
[Decimal("1.10"), datetime(2024, 1, 2, 3, 4), date(2024, 1, 2),
 timedelta(1), b"a\0b", 1 + 2j, Fraction(1, 3), Path.home() / "a.txt",
 UUID(int=1), Color.RED, namedtuple("P", "x y")(1, 2), range(3), int, ...]
