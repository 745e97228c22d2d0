# Names of Python 3.12 to 3.14, also with 3.11.
# expect: success
# final: [[[0, 1], [2]], 32, 5.0, true, -0.5, [true, 3.0], "3.1429", 1.0,
#    ["deprecated"], ["FEBRUARY", 6], [["a", ["b"], []], ["b", [], ["c"]]],
#    [false, false], [true, false], 5]
# cut
import calendar
import copy
import fractions
import itertools
import math
import os
import pathlib
import random
import statistics
import tempfile
import typing
import warnings
from dataclasses import dataclass


class Old:
    @warnings.deprecated("deprecated")
    def call(self):
        return 1


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


class Base:
    def size(self) -> int:
        return 1


class Child(Base):
    @typing.override
    def size(self) -> int:
        return 2


pathlib.Path("a/b").mkdir(parents=True)
pathlib.Path("a/b/c").touch()
tree = [[root.name, folders, names]
        for root, folders, names in pathlib.Path("a").walk()]
with tempfile.TemporaryDirectory(delete=False) as folder:
    pass
with tempfile.NamedTemporaryFile("w", delete_on_close=False) as file:
    file.write("x")
    file.close()
    there = os.path.exists(file.name)
kept, gone = os.path.isdir(folder), os.path.exists(file.name)
os.rmdir(folder)
missing = []
import shutil
shutil.rmtree("no", onexc=lambda function, path, exc: missing.append(
    isinstance(exc, tuple)))
shutil.rmtree("a")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    Old().call()
draw = random.Random(1)
kde = statistics.kde([1.0, 2.0], h=0.5)
[[list(batch) for batch in itertools.batched(range(3), 2)],
 math.sumprod([1, 2, 3], [4, 5, 6]), math.fma(2.0, 3.0, -1.0),
 49 < sum(draw.binomialvariate(100, 0.5) for _ in range(500)) / 500 < 51,
 statistics.correlation([1, 2, 3], [1, 9, 2], method="ranked") - 1,
 [Child.size.__override__, round(sum(kde(i / 50) for i in range(-100, 250))
                                 / 50 * 3, 2)],
 f"{fractions.Fraction(22, 7):.4f}", statistics.correlation([1, 2], [2, 4]),
 [str(one.message) for one in caught],
 [calendar.Month(2).name, int(calendar.SUNDAY)], tree,
 [missing[0], gone], [there and kept, gone],
 copy.replace(Point(1), x=5).x]
