"""How much slower than a real machine this one computes: an emulated processor
takes 20 to 50 times as long. The suite's bounds on time grow with it, or they
would fail there for every program, hostile or not. The server has no part in
the measure, so a slow server still fails."""

from __future__ import annotations

import time

ORDINARY_S = 0.01  # at most, on a real machine (3 to 6 ms on today's)


def work() -> float:
    """Seconds of a fixed amount of work."""
    begun = time.perf_counter()
    sum(number * number for number in range(100_000))
    return time.perf_counter() - begun


# The least of some: other work beside this one does not count.
SLOWER = max(1.0, min(work() for _ in range(7)) / ORDINARY_S)
# Where a program that ends by itself may reach the time limit before.
EMULATED = SLOWER > 3
