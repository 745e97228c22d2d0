# expect: success
# final: "Point(x=1, y=2)"
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 2


Point(1)
