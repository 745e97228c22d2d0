"""All users of an application behind one token, each with a session of its
own, at a server with the defaults of `make start`.

TERRARIUM_USERS and TERRARIUM_CALLS (30 and 100) change how many users there
are, and how many calls each makes.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections import Counter
from typing import Any

import pytest
from client import JSON, Client
from conftest import Status
from own_server import Place
from sessions import together

USERS = int(os.environ.get("TERRARIUM_USERS") or 30)
CALLS = int(os.environ.get("TERRARIUM_CALLS") or 100)


class App:
    """One user of the application: a connection that is kept, and a session
    with a running value, of which each answer depends on all calls before."""

    def __init__(self, client: Client, number: int) -> None:
        self.client, self.number = client, number
        self.statuses: Counter[int] = Counter()
        self.wrong: list[Any] = []
        self.connection: http.client.HTTPConnection | None = None

    def call(self, code: str) -> Any:
        if self.connection is None:
            self.connection = self.client.connection(60)
        self.connection.request(
            "POST", "/", json.dumps({"code": code,
                                     "session": f"user-{self.number}"}),
            {**self.client.credentials(), **JSON})
        reply = self.connection.getresponse()
        self.statuses[reply.status] += 1
        return json.loads(reply.read())

    def use(self, calls: int) -> None:
        value = self.number
        for i in range(calls):
            code = f"x = x * 3 % 1000003 + {i}\nx" if i else \
                f"x = {self.number}\nx"
            value = value * 3 % 1000003 + i if i else value
            answer = self.call(code)
            state = answer.get("session", {}).get("state")
            if answer.get("final_expression") != value or \
                    state != ("kept" if i else "new"):
                self.wrong.append((i, value, answer))
        if self.connection is not None:
            self.connection.close()


def test_thirty_users_of_one_token(place: Place) -> None:
    """Each answer is right, and none is refused: nginx's limits are not in
    the way, and calls beyond the client's share wait."""
    assert place.with_default_guest()("start").returncode == 0
    client = place.client()
    status = Status(place.assignments()["TERRARIUM_STATUS_URL"])
    if status.get()["sessions"]["max"] < USERS:
        pytest.skip("this machine's memory holds fewer sessions by default")
    users = [App(client, number) for number in range(USERS)]
    begun = time.monotonic()
    together(USERS, lambda number: users[number].use(CALLS))
    seconds = time.monotonic() - begun
    statuses = sum((user.statuses for user in users), Counter())
    print(f"{USERS} users x {CALLS} calls in {seconds:.1f} s, "
          f"{USERS * CALLS / seconds:.0f} a second: {dict(statuses)}")
    assert [user.wrong[:1] for user in users if user.wrong] == []
    assert statuses == {200: USERS * CALLS}
