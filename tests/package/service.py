"""The service of the packages on a booted machine, and clients of it."""

import json
import os
import re
import threading
import time
import urllib.request

import steps
from steps import ETC, ask, run, until

UNIT = "terrarium.service"
PACKAGES = ("terrarium", "terrarium-cli", "python3-terrarium-client")


class Load:
    """Clients that ask one request after another while a block runs."""

    def __init__(self, token: str, *names: str) -> None:
        self.token, self.wrong = token, []
        self.times = {name: [] for name in names}
        self.done = threading.Event()
        self.threads = [threading.Thread(target=self.go, args=(name,))
                        for name in names]

    def plain(self, number: int) -> dict:
        return ask(self.token, code=f"{number} + 1")

    def session(self, number: int) -> dict:
        """Right as long as all calls are of the same session."""
        code = "calls = 1" if number == 0 else "calls += 1"
        return ask(self.token, code=code + "\ncalls", session="over-it")

    def go(self, name: str) -> None:
        times = self.times[name]
        while not self.done.is_set():
            begun = time.monotonic()
            try:
                said = getattr(self, name)(len(times))
                if said["final_expression"] != len(times) + 1:
                    self.wrong.append((name, len(times), said))
            except Exception as error:  # any is a request without its answer
                self.wrong.append((name, len(times), repr(error)))
            times.append(time.monotonic() - begun)

    def some(self) -> None:
        """Returns after more requests of each client."""
        wanted = {name: len(self.times[name]) + 3 for name in self.times}
        until(lambda: all(len(self.times[name]) >= count
                          for name, count in wanted.items()), "requests end")

    def __enter__(self) -> "Load":
        for thread in self.threads:
            thread.start()
        self.some()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.some()
        finally:
            self.done.set()
            for thread in self.threads:
                thread.join()

    def told(self) -> str:
        return ", ".join(f"{len(times)} {name} (longest {max(times):.1f} s)"
                         for name, times in self.times.items())


def shown(name: str) -> str:
    return run("systemctl", "show", "--value", "-p", name, UNIT).strip()


def served_version(token: str) -> str:
    """As a worker tells it."""
    asked = urllib.request.Request(
        steps.URL, headers={"Authorization": f"Bearer {token}",
                            "Accept": "application/json"})
    with urllib.request.urlopen(asked, context=steps.trusting(),
                                timeout=120) as answer:
        return json.load(answer)["version"]


def set_options(extra: str) -> None:
    path = ETC / "terrarium.conf"
    for row in filter(None, extra.split(";")):
        section, option, value = re.fullmatch(r"(\w+)\.(\w+)=(.*)",
                                              row).groups()
        text, count = re.subn(
            rf"(?ms)(^\[{section}\]\n(?:(?!^\[).)*?^{option} =)[^\n]*",
            lambda found: f"{found[1]} {value}", path.read_text())
        assert count == 1, row
        path.write_text(text)


def set_up() -> str:
    """Returns a new token."""
    set_options(os.environ.get("CONF_EXTRA", ""))
    return re.search(r"^  ([0-9a-f]{64})$", run("terrarium-setup"), re.M)[1]
