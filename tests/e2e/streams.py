"""A reader of streams, line by line as they arrive, over HTTP/1.1 or, by curl,
over HTTP/2."""

from __future__ import annotations

import http.client
import json
import subprocess
import time
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

from client import Client

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"


@dataclass
class Event:
    """One line, and when it arrived."""

    at: float
    text: bytes
    fields: dict[str, Any]


@dataclass
class Streamed:
    """All events of a stream that has ended."""

    events: list[Event]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [e.fields for e in self.events if e.fields["type"] == kind]

    def text(self, kind: str) -> str:
        return "".join(fields["text"] for fields in self.of(kind))

    def end(self) -> dict[str, Any]:
        assert [e.fields["type"] for e in self.events].count("end") == 1
        assert self.events[-1].fields["type"] == "end"
        return self.events[-1].fields

    def kinds(self) -> list[str]:
        """The types in their order, equal neighbours once."""
        found: list[str] = []
        for event in self.events:
            if not found or found[-1] != event.fields["type"]:
                found.append(event.fields["type"])
        return found


def read(text: bytes, form: str) -> Optional[Event]:
    """The event of a line; None: the blank line behind an event."""
    assert text.endswith(b"\n")
    assert text.isascii() and not set(text[:-1]) & set(range(32)), text
    if form == SSE:
        if text == b"\n":
            return None
        assert text.startswith(b"data: {"), text
        return Event(time.time(), text, json.loads(text[6:]))
    assert text.startswith(b"{"), text
    return Event(time.time(), text, json.loads(text))


@dataclass
class Stream:
    """A request whose answer is read step by step; HTTP/1.1."""

    client: Client
    code: str
    fields: dict[str, Any] = field(default_factory=dict)
    form: str = NDJSON
    headers: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Stream:
        self.connection = self.client.connection(60)
        self.connection.request(
            "POST", "/", json.dumps({"code": self.code, **self.fields}),
            {"Accept": self.form, **self.client.credentials(),
             **self.headers})
        self.answer = self.connection.getresponse()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self.answer.close()
        self.connection.close()

    def next(self) -> Event:
        while True:
            line = self.answer.readline()
            assert line, "the stream has ended"
            event = read(line, self.form)
            if event:
                return event

    def events(self) -> Iterator[Event]:
        """To the end, which is that of the answer."""
        while True:
            event = self.next()
            yield event
            if event.fields["type"] == "end":
                assert self.answer.read() in (b"", b"\n")
                return


def stream(client: Client, code: str, form: str = NDJSON,
           **fields: Any) -> Streamed:
    with Stream(client, code, fields, form) as opened:
        assert opened.answer.status == 200, opened.answer.read()
        assert opened.answer.headers["Content-Type"] == form
        return Streamed(list(opened.events()))


def curl(client: Client, cacert: str, code: str, form: str = NDJSON,
         **fields: Any) -> subprocess.Popen[bytes]:
    """The same request over HTTP/2. Standard output has the body."""
    child = subprocess.Popen(
        ["curl", "-sSN", "--http2", "--cacert", cacert, "-H",
         f"Authorization: Bearer {client.token}", "-H", f"Accept: {form}",
         "--data-binary", "@-", f"https://{client.host}:{client.port}/"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin
    child.stdin.write(json.dumps({"code": code, **fields}).encode())
    child.stdin.close()
    return child


def broken(opened: Stream) -> bool:
    """Whether the rest of the answer lacks its end."""
    try:
        return b'"type":"end"' not in opened.answer.read()
    except (http.client.IncompleteRead, ConnectionError):
        return True
