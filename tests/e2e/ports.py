#!/usr/bin/python3
"""Free ports for the servers of tests.

    tests/e2e/ports.py N    prints N of them, side by side

They are not among the ports that the kernel gives to outgoing connections
(ip_local_port_range): a client that connects somewhere between the choice of
a port and the start of its server could be given the same.
"""

from __future__ import annotations

import contextlib
import random
import socket
import sys
from pathlib import Path

OUTGOING = Path("/proc/sys/net/ipv4/ip_local_port_range")
FIRST, LAST = 10000, 65535
ENOUGH = 1000


def choices() -> range:
    """Ports of no outgoing connection, or all where these are too few."""
    low, high = (int(word) for word in OUTGOING.read_text().split())
    for ports in range(FIRST, low), range(high + 1, LAST + 1):
        if len(ports) >= ENOUGH:
            return ports
    return range(FIRST, LAST + 1)


def are_free(first: int, count: int) -> bool:
    with contextlib.ExitStack() as held:
        for port in range(first, first + count):
            try:
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def free_ports(count: int) -> list[int]:
    """COUNT free ports, side by side."""
    ports = choices()
    for _ in range(1000):
        first = random.choice(ports[:len(ports) - count])
        if are_free(first, count):
            return list(range(first, first + count))
    raise RuntimeError(f"no {count} free ports side by side")


if __name__ == "__main__":
    print(*free_ports(int(sys.argv[1])))
