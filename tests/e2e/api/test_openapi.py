"""/openapi.json: it is served, well formed, says the same as the server's
tables and parsers, and agrees with each request and answer of this run.

The linter and the checker of schemas are installed below build/openapi by npm,
if that can be had. conftest.py runs this file last.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from client import JSON, Client, Reply, b64
from conftest import ROOT, recorded
from event_streams import EventStream
from npm import installed

DAEMON = os.environ.get("DAEMON") or str(ROOT / "build" / "terrariumd")
RUN_S = 120
UUID = "e4c5a8c2-3c5a-4f5a-9d5b-0f0e0d0c0b0a"
HOME = {"path": "/sandbox", "name": "openapi.txt"}

# A request that succeeds, for each operation with a JSON body.
GOOD: dict[str, Any] = {
    "run_python": {"code": "1"},
    "run_main": {"code_b64": b64("def main(): return 1")},
    "run_solver": {"code": "1"},
    "check_syntax": {"code": "1"},
    "check_snippet": {"code": "1"},
    "execute_in_session": {"user_uuid": "openapi", "code": "1"},
    "fork_session": {"user_uuid": "openapi", "new_uuid": "openapi-branch"},
    "release_session": {"user_uuid": "openapi"},
    "execute_in_session_v1": {"code": "1"},
    "write_session_files": {"files": [
        {**HOME, "download_url": "data:;base64,MQ=="}]},
    "read_session_files": {"files": [HOME]},
    "remove_session_files": {"files": [HOME]},
    "eval_python": {"input": "1"},
    "run_dify_code": {"language": "python3", "code": "1"},
    "update_dify_dependencies": {"language": "python3"},
    "forbid_packages": {"packages": []},
    **{f"execute_{name}": {"language": "python", "version": "*",
                           "files": [{"content": "1"}]}
       for name in ("piston", "piston_public")},
    **{f"install_{name}_package": {"language": "python", "version": "*"}
       for name in ("piston", "piston_public")},
    "create_sandbox": {"timeout": 60},
    "create_sandbox_v2": {"timeout": 60},
    "connect_sandbox": {"timeout": 60},
    "connect_sandbox_v2": {"timeout": 60},
    "set_sandbox_timeout": {"timeout": 60},
    "execute_in_sandbox": {"code": "1"},
    "create_context": {"cwd": "/tmp"},
    "make_sandbox_directory": {"path": "made"},
    "list_sandbox_directory": {"path": "/home/user"},
    "describe_sandbox_file": {"path": "made"},
    "move_sandbox_file": {"source": "made", "destination": "moved"},
    "remove_sandbox_file": {"path": "moved"},
    "create_opensandbox": {"image": {"uri": "any"}, "timeout": 60,
                           "metadata": {"a": "b"}, "env": {"A": "b"},
                           "entrypoint": [], "secureAccess": True},
    "renew_opensandbox": {"expiresAt": "2999-01-01T00:00:00Z"},
    "run_code_in_opensandbox": {"code": "1 + 1",
                                "context": {"language": "python"}},
    "create_opensandbox_context": {"language": "python"},
    "make_opensandbox_directories": {"/home/user/osb": {"mode": 755}},
    "move_opensandbox_files": [{"src": "osb", "dest": "osb-moved"}],
    "send_mcp_message": {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    "send_mcp_message_to_stream": {"jsonrpc": "2.0", "id": 1,
                                   "method": "ping"},
}
# Fields whose value has no effect, or that count in some messages only.
FREE = {(operation, name)
        for operation in ("send_mcp_message", "send_mcp_message_to_stream")
        for name in ("params", "result", "error", "method", "id")}


@pytest.fixture(scope="module")
def document(stranger: Client) -> dict[str, Any]:
    reply = stranger.request("GET", "/openapi.json")
    assert reply.status == 200, reply.body[:300]
    assert reply.header("Content-Type") == "application/json"

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in members]
        assert len(set(names)) == len(names), names
        return dict(members)

    return json.loads(reply.body, object_pairs_hook=pairs)


def operations(document: dict[str, Any]
               ) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def schema_of(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


# ---- the document ----------------------------------------------------------


def test_it_is_the_printed_one(document: dict[str, Any]) -> None:
    said = subprocess.run([DAEMON, "--print-openapi"], capture_output=True,
                          text=True, check=True, timeout=60).stdout
    assert json.loads(said) == document
    assert document["openapi"].startswith("3.1.")


def test_it_has_each_path_and_no_other(document: dict[str, Any],
                                       client: Client) -> None:
    """Those that the server lists, and those that need no worker."""
    doors = client.request("GET", "/", headers={
        "Accept": "application/json"}).json()["doors"]
    listed = {path for paths in doors.values() for path in paths}
    described = {f"{method} {path}"
                 for method, path, _ in operations(document)}
    assert described == listed | {"GET /openapi.json"}


def test_only_open_paths_need_no_token(document: dict[str, Any],
                                       stranger: Client) -> None:
    for method, path, operation in operations(document):
        if path == "/":
            continue  # GET / has a page for people
        path = re.sub(r"\{\w+\}", "a0", path)
        reply = stranger.request(method, path, "{}", JSON)
        while reply.status == 429 or b"-429" in reply.body[:100]:
            time.sleep(0.3)
            reply = stranger.request(method, path, "{}", JSON)
        assert (reply.status != 401) == (operation.get("security") == []), \
            (method, path, reply.status)


def test_sentences(document: dict[str, Any]) -> None:
    """A model sees nothing but these."""
    names = [operation["operationId"]
             for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)
    for _, path, operation in operations(document):
        assert operation["description"].endswith("."), path
        assert not operation["summary"].endswith("."), path
        said = [(one["name"], one.get("description"))
                for one in operation.get("parameters", [])]
        schema = schema_of(operation) or {}
        schema = schema.get("anyOf", [schema])[0]
        said += [(name, one.get("description"))
                 for name, one in schema.get("properties", {}).items()]
        assert [name for name, words in said
                if not words or not words.endswith(".")] == [], path


def test_requests_have_no_references(document: dict[str, Any]) -> None:
    """Some programs that make tools of it follow none."""
    for _, path, operation in operations(document):
        assert "$ref" not in json.dumps(
            [operation.get("requestBody"), operation.get("parameters")]), path


# ---- the document and the parsers ------------------------------------------


def wrong(schema: dict[str, Any]) -> Any:
    """A value of a type that SCHEMA does not have; None: it has all."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not kinds:
        return None
    return "text" if "string" not in kinds else {"no": "text"}


sandboxes: list[str] = []


def sandbox(client: Client) -> str:
    """One for all tests."""
    if not sandboxes:
        sandboxes.append(client.request(
            "POST", "/e2b/sandboxes", "{}", JSON).json()["sandboxID"])
    return sandboxes[0]


streams: list[EventStream] = []


def stream(client: Client) -> EventStream:
    """One for all tests."""
    if not streams:
        streams.append(EventStream(client))
    return streams[0]


@pytest.fixture(scope="module", autouse=True)
def _end_the_stream() -> Iterator[None]:
    yield
    while streams:
        streams.pop().close()


def send(client: Client, method: str, path: str, fields: Any) -> Reply:
    headers = dict(JSON)
    if path.startswith("/api/v1/"):
        path += f"?user_uuid={UUID}"
    if path.startswith("/opensandbox/"):
        path = path.replace("{sandboxID}", sandbox(client))
    if path == "/messages":
        path = stream(client).path
    if path.startswith("/e2b/"):
        headers["E2b-Sandbox-Id"] = sandbox(client)
        path = path.replace("{sandboxID}", sandbox(client))
    return client.request(method, path, json.dumps(fields), headers)


def is_refused(reply: Reply) -> bool:
    if reply.status >= 400:
        return True
    if reply.header("Content-Type") in ("application/x-ndjson",
                                        "text/event-stream"):
        return b'"type":"error"' in reply.body
    answer = reply.json() if reply.body else {}
    return answer.get("code", 0) < 0 or "error" in answer or \
        answer.get("status") == "program_runner_error"


def each_body(document: dict[str, Any]
              ) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for method, path, operation in operations(document):
        schema = schema_of(operation)
        if schema:
            one = schema.get("anyOf", [schema])[0]
            yield operation["operationId"], method, path, one


def test_each_body_has_a_good_example(document: dict[str, Any],
                                      client: Client) -> None:
    found = {name for name, *_ in each_body(document)}
    assert found == set(GOOD)
    # In the order of GOOD, since sessions begin, and end.
    rows = {name: (method, path)
            for name, method, path, _ in each_body(document)}
    for name, fields in GOOD.items():
        reply = send(client, *rows[name], fields)
        assert not is_refused(reply), (name, reply.status, reply.body[:300])


def test_a_wrong_type_is_refused(document: dict[str, Any],
                                 client: Client) -> None:
    """So each field that is described is one that the server reads."""
    for name, method, path, schema in each_body(document):
        for field, inner in schema.get("properties", {}).items():
            value = wrong(inner)
            if value is None or (name, field) in FREE:
                continue
            reply = send(client, method, path, {**GOOD[name], field: value})
            assert is_refused(reply), (name, field, reply.body[:300])


def test_a_missing_field_is_refused(document: dict[str, Any],
                                    client: Client) -> None:
    for name, method, path, schema in each_body(document):
        for field in schema.get("required", []):
            fields = {key: value for key, value in GOOD[name].items()
                      if key != field}
            reply = send(client, method, path, fields)
            assert is_refused(reply), (name, field, reply.body[:300])


def test_a_range_begins_where_it_says(document: dict[str, Any],
                                      client: Client) -> None:
    for name, method, path, schema in each_body(document):
        for field, inner in schema.get("properties", {}).items():
            if "minimum" in inner:
                fields = {**GOOD[name], field: inner["minimum"] - 1}
                reply = send(client, method, path, fields)
                assert is_refused(reply), (name, field, reply.body[:300])


# ---- the document, a linter, and all that was said -------------------------


@pytest.fixture(scope="module")
def node() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    place = installed("openapi")
    return lambda *words: subprocess.run(
        ["node", *words], cwd=place, capture_output=True, text=True,
        timeout=RUN_S)


@pytest.fixture(scope="module")
def file(document: dict[str, Any],
         tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("openapi") / "openapi.json"
    found.write_text(json.dumps(document), encoding="utf-8")
    return found


def test_the_linter_has_no_complaint(
        node: Callable[..., "subprocess.CompletedProcess[str]"],
        file: Path) -> None:
    done = node("lint.mjs", str(file))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_each_request_and_answer_of_this_run(
        node: Callable[..., "subprocess.CompletedProcess[str]"],
        file: Path) -> None:
    """Also those of the other files that ran before this one."""
    records = recorded()
    done = node("check.mjs", str(file), str(records))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == [], "\n".join(found["wrong"])
    assert set(GOOD) <= set(found["operations"])
    assert found["answers"] > 100 and found["requests"] > 10, found
    print(found)


def test_the_checker_finds_a_wrong_answer(
        node: Callable[..., "subprocess.CompletedProcess[str]"], file: Path,
        tmp_path: Path) -> None:
    """A member that is not described, a missing one, a wrong type, a wrong
    request, an unknown type of content."""
    good = {"method": "GET", "path": "/available-packages", "status": 200,
            "type": "application/json", "request": None,
            "answer": '{"packages":["numpy"]}'}
    lines = [good, {**good, "answer": '{"packages":[],"more":1}'},
             {**good, "answer": "{}"}, {**good, "answer": '{"packages":[1]}'},
             {**good, "type": "text/html"},
             {**good, "method": "POST", "path": "/forbidden-packages",
              "request": '{"packages":[1]}'}]
    records = tmp_path / "records"
    records.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = node("check.mjs", str(file), str(records))
    found = json.loads(done.stdout)
    assert len(found["wrong"]) == len(lines) - 1, found
