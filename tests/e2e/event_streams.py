"""A client of MCP's old transport: one stream, and messages for it."""

from __future__ import annotations

import http.client
import json
import queue
import threading
from typing import Any, Optional

from client import JSON, Client, Reply

WAIT_S = 60.0


class NoStream(Exception):
    """The answer to GET /sse was none: it is `reply`."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(f"{reply.status} {reply.body!r}")
        self.reply = reply


class EventStream:
    """A stream that was begun. A thread reads it, unless that waits."""

    def __init__(self, client: Client, path: str = "/sse",
                 reads: bool = True, timeout: float = WAIT_S) -> None:
        self.client = client
        self.connection = client.connection(timeout)
        self.connection.request("GET", path, headers={
            **client.credentials(), "Accept": "text/event-stream"})
        # The connection may give its socket away to the response.
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        if self.response.status != 200:
            reply = Reply(self.response.status, self.response.getheaders(),
                          self.response.read(), 0)
            self.connection.close()
            raise NoStream(reply)
        self.events: queue.Queue[Optional[tuple[str, str]]] = queue.Queue()
        self.comments = 0
        self.broken: Optional[BaseException] = None
        self.path = self._event()[1]
        self.next_id = 0
        if reads:
            self.read()

    def read(self) -> None:
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _event(self) -> tuple[str, str]:
        kind, data = "", ""
        while True:
            line = self.response.readline().decode("ascii")
            if not line:
                raise EOFError
            if line == "\n" and kind:
                return kind, data
            if line.startswith(":"):
                self.comments += 1
            elif line.startswith("event: "):
                kind = line[7:-1]
            elif line.startswith("data: "):
                data = line[6:-1]

    def _read(self) -> None:
        try:
            while True:
                self.events.put(self._event())
        except EOFError:
            pass
        except (OSError, ValueError, http.client.HTTPException,
                AttributeError) as error:
            self.broken = error
        self.events.put(None)

    def send(self, body: Any, path: Optional[str] = None,
             client: Optional[Client] = None, **headers: str) -> Reply:
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        sent = {name.replace("_", "-"): value
                for name, value in headers.items()}
        return (client or self.client).request(
            "POST", self.path if path is None else path, text,
            {**JSON, **sent})

    def message(self) -> dict[str, Any]:
        """The next message."""
        event = self.events.get(timeout=WAIT_S)
        assert event is not None, ("the stream has ended", self.broken)
        assert event[0] == "message", event
        return json.loads(event[1])

    def begin(self, method: str, **params: Any) -> int:
        """Send a request; its id."""
        self.next_id += 1
        reply = self.send({"jsonrpc": "2.0", "id": self.next_id,
                           "method": method, "params": params})
        assert (reply.status, reply.body) == (202, b""), reply.body
        return self.next_id

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The response to a request, of which no other goes on."""
        number = self.begin(method, **params)
        got = self.message()
        assert (got["jsonrpc"], got["id"]) == ("2.0", number), got
        return got

    def start(self, code: str) -> int:
        return self.begin("tools/call", name="python",
                          arguments={"code": code})

    def text(self, code: str) -> str:
        """The text that a call of the tool returns."""
        result = self.ask("tools/call", name="python",
                          arguments={"code": code})["result"]
        assert set(result) == {"content", "isError"}
        assert result["isError"] is False
        (block,) = result["content"]
        assert set(block) == {"type", "text"} and block["type"] == "text"
        return block["text"]

    def has_ended(self) -> bool:
        """Wait for the end; whether it was a clean one."""
        while self.events.get(timeout=WAIT_S) is not None:
            pass
        return self.broken is None

    def close(self) -> None:
        """Hang up, while the thread may still read."""
        if self.socket is not None:
            try:
                self.socket.shutdown(2)
            except OSError:
                pass
        if hasattr(self, "thread"):
            self.thread.join(WAIT_S)
        self.response.close()
        self.connection.close()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
