# expect: error|timeout|memory timeout_ms=2000
# Or that never stops being told.
class Long(Exception):
    def __str__(self):
        return "long " * (1 << 24)


raise Long
