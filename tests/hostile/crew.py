"""Hostile programs that run several at once.

A program that uses up little does not disturb the judgement of another: its
own answer shows its success. The state of the server is checked once
for a crew, when all its programs have ended; whatever one of them has left
behind is a failure of each. A program that spends the machine's processors,
memory or time runs alone.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Callable, Generic, TypeVar

from attack import Attack

SIZE = 4
LARGE = ("G04", "J03b")     # their answers are of many megabytes
T = TypeVar("T")


def is_quiet(attack: Attack) -> bool:
    return attack.kind != "H" and not attack.limits and \
        not attack.outcomes & {"timeout", "memory", "output"} and \
        attack.name.split("_")[0] not in LARGE


@dataclass
class Judged(Generic[T]):
    """The result or exception of one call, and the remains of its crew."""

    call: Future[T]
    left: list[str]


def together(names: list[str], call: Callable[[str], T]
             ) -> dict[str, Future[T]]:
    """CALL for each of NAMES, at once; returns when all have ended."""
    with ThreadPoolExecutor(len(names)) as pool:
        calls = {name: pool.submit(call, name) for name in names}
        wait(calls.values())
    return calls


class Crews(Generic[T]):
    """Runs the crew of a program when the program is asked for. RUN gets the
    names of one crew."""

    def __init__(self, attacks: list[Attack],
                 run: Callable[[list[str]], dict[str, Judged[T]]]) -> None:
        quiet = [attack.name for attack in attacks if is_quiet(attack)]
        self.crews = [quiet[at:at + SIZE]
                      for at in range(0, len(quiet), SIZE)]
        self.crews += [[attack.name] for attack in attacks
                       if not is_quiet(attack)]
        self.run = run
        self.judged: dict[str, Judged[T]] = {}

    def __getitem__(self, name: str) -> Judged[T]:
        if name not in self.judged:
            crew = next(crew for crew in self.crews if name in crew)
            self.judged.update(self.run(crew))
        return self.judged[name]


def selected(request: Any, by_name: dict[str, Attack],
             machine: str) -> list[Attack]:
    """The attacks of REQUEST's file that are to be tried on this MACHINE."""
    names = [item.callspec.params["name"] for item in request.session.items
             if item.path == request.path and hasattr(item, "callspec")
             and "name" in item.callspec.params]
    return [by_name[name] for name in names
            if by_name[name].machine in (None, machine)]
