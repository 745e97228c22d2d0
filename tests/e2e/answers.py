"""The form of a refusal; shared by the tests of requests."""

from __future__ import annotations

from typing import Any, Optional

from client import Reply


def check_refusal(reply: Reply) -> dict[str, Any]:
    """The members that every refusal has, by the server and by nginx, so that
    a client that does not look at the status sees a failure. The error."""
    answer = reply.json()
    error = answer["error"]
    assert answer == {"success": False, "error": error, "output_files": [],
                      "std_out": "", "std_err": "", "id": answer["id"]}
    assert set(error) - {"offset"} == {"type", "message", "code"}, error
    assert error["type"] == error["code"]
    if reply.header("X-Request-Id"):
        assert reply.header("X-Request-Id") == answer["id"]
    return error


def check_json_error(reply: Reply, status: int,
                     code: Optional[str] = None, *words: str) -> None:
    """A refusal: HTTP status, stable code, words of its message."""
    assert reply.status == status, (reply.status, reply.body[:300])
    assert (reply.header("Content-Type") or "").split(";")[0] == \
        "application/json"
    assert reply.header("Content-Length") == str(len(reply.body))
    error = check_refusal(reply)
    if code is not None:
        assert error["code"] == code, error
    assert isinstance(error["message"], str) and error["message"]
    for word in words:
        assert word in error["message"], error
    if "offset" in error:
        assert type(error["offset"]) is int and error["offset"] >= 0


def check_parsing(reply: Reply, *words: str) -> None:
    """Errors that clients can read with a 200 only: type `parsing`."""
    assert reply.status == 200, (reply.status, reply.body[:300])
    answer = reply.json()
    assert check_refusal(reply)["type"] == "parsing", answer["error"]
    for word in words:
        assert word in answer["error"]["message"], answer["error"]
