# expect: timeout timeout_ms=1500
# Backtracking.
import re

re.match(r"(a+)+$", "a" * 64 + "b")
