# expect: success
# final: ["Decimal('1.10')", "datetime.datetime(2024, 1, 2, 3, 4)",
#    "b'a\\x00b'", "(1+2j)", "Fraction(1, 3)", "range(0, 3)",
#    "<class 'int'>", "Ellipsis"]
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
[Decimal("1.10"), datetime(2024, 1, 2, 3, 4), b"a\0b", 1 + 2j,
 Fraction(1, 3), range(3), int, ...]
