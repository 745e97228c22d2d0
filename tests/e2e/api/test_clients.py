"""Clients that were written for other servers: each client's requests, as it
sends them, in each case of its contract.

A client is its headers, its form of the token and the address that its
operator gives it; to that it appends paths. Nothing here is sent by our own
client.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional

import pytest
from client import Client, Reply, b64, finish, head
from conftest import Settings

# Clients of the original wait that long.
PATIENCE_S = 30


@dataclass
class Kind:
    """A kind of client. ADDRESS is the path of the URL that it was given."""

    headers: Mapping[str, str]
    credential: str = "Authorization: Bearer {token}"
    address: str = ""
    language: Mapping[str, str] = field(
        default_factory=lambda: {"Content-Type": "application/json"})


REQUESTS = {"User-Agent": "python-requests/2.28.1", "Accept": "*/*",
            "Accept-Encoding": "gzip, deflate", "Connection": "keep-alive"}
AXIOS = {"Accept": "application/json, text/plain, */*",
         "User-Agent": "axios/1.6.8",
         "Accept-Encoding": "gzip, compress, deflate, br"}
FETCH = {"accept": "*/*", "accept-language": "*", "sec-fetch-mode": "cors",
         "user-agent": "node", "accept-encoding": "gzip, deflate"}
HTTPX = {"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br",
         "Connection": "keep-alive", "User-Agent": "python-httpx/0.27.0"}
CURL = {"User-Agent": "curl/7.88.1", "Accept": "*/*"}
GO = {"User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip"}
BASIC = "Authorization: Basic {basic}"

KINDS = {
    "requests": Kind(REQUESTS),
    "requests, slash": Kind(REQUESTS, address="/"),
    "requests, token in the URL": Kind(REQUESTS, BASIC),
    "requests, token in the URL, slash": Kind(REQUESTS, BASIC, "/"),
    "original": Kind({**REQUESTS, "cache-control": "no-cache"},
                     "Authorization: bearer {token}"),
    "axios": Kind(AXIOS, address="/"),
    "axios, key": Kind(AXIOS, "X-Api-Key: {token}"),
    "fetch": Kind(FETCH, "x-auth-token: {token}"),
    "fetch, slash": Kind(FETCH, "authorization: Bearer {token}", "/"),
    "httpx": Kind(HTTPX, "X-Access-Token: {token}"),
    "curl -d": Kind(CURL, address="/", language={
        "Content-Type": "application/x-www-form-urlencoded"}),
    "curl -d, token in the URL": Kind(CURL, BASIC, language={
        "Content-Type": "application/x-www-form-urlencoded"}),
    "Go": Kind(GO, language={}),
}


class Caller:
    """A client of one kind at the server."""

    def __init__(self, kind: Kind, client: Client,
                 settings: Settings) -> None:
        self.kind, self.client = kind, client
        if kind.credential == BASIC and not settings.name:
            pytest.skip("TERRARIUM_CLIENT is not set")
        pair = f"{settings.name}:{client.token}".encode()
        name, _, form = kind.credential.partition(": ")
        self.token = {name: form.format(
            token=client.token, basic=base64.b64encode(pair).decode())}

    def ask(self, method: str, path: str, body: Optional[Any] = None,
            token: Optional[Mapping[str, str]] = None) -> Reply:
        """PATH behind the address, as text is put behind text. BODY is JSON
        unless it is text."""
        headers = {**self.kind.headers,
                   **(self.token if token is None else token)}
        if body is not None:
            headers.update(self.kind.language)
            if not isinstance(body, str):
                body = json.dumps(body)
        return self.client.request(method, self.kind.address + path or "/",
                                   body, headers, auth=False)


@pytest.fixture(params=list(KINDS))
def caller(request: Any, client: Client, settings: Settings) -> Caller:
    return Caller(KINDS[request.param], client, settings)


# -- native: a method, a path, a body, and the test of the reply

Check = Callable[[Reply], None]
SLOW = "print('first', flush=True)\nopen('out', 'w').write('x')\n" \
    "import time\ntime.sleep(60)"


def answered(**wanted: Any) -> Check:
    """HTTP 200 and one line of JSON with these members."""
    def check(reply: Reply) -> None:
        assert reply.status == 200, reply.body
        assert reply.header("Content-Type") == "application/json"
        assert not reply.all("Content-Encoding")
        assert reply.body.endswith(b"\n") and reply.body.count(b"\n") == 1
        got = reply.json()
        assert {name: got.get(name) for name in wanted} == wanted
    return check


def failed(kind: str, words: str, **wanted: Any) -> Check:
    def check(reply: Reply) -> None:
        answered(success=False, **wanted)(reply)
        assert reply.json()["error"]["type"] == kind
        assert words in reply.json()["error"]["message"]
    return check


def refused(status: int, code: str) -> Check:
    """In the shape that a client reads that does not look at the status."""
    def check(reply: Reply) -> None:
        assert reply.status == status, reply.body
        got = reply.json()
        assert got == {
            "success": False, "error": got["error"], "output_files": [],
            "std_out": "", "std_err": "", "id": got["id"]}
        assert got["error"]["type"] == got["error"]["code"] == code
        assert got["error"]["message"]
        assert reply.header("WWW-Authenticate") == \
            ("Bearer" if status == 401 else None)
    return check


def text(status: int, body: bytes) -> Check:
    def check(reply: Reply) -> None:
        assert (reply.status, reply.body) == (status, body)
    return check


def lists(name: str, full: bool) -> Check:
    """The packages, with versions or as names alone."""
    def check(reply: Reply) -> None:
        answered()(reply)
        packages = reply.json()["packages"]
        assert list(reply.json()) == ["packages"]
        names = [row["name"] for row in packages] if full else packages
        assert name in names and all(type(one) is str for one in names)
        if full:
            assert set(packages[0]) == {"name", "version", "preloaded"}
    return check


FILES = [{"filename": "/in.txt", "b64_data": b64("given")}]
NATIVE: dict[str, tuple[str, str, Any, Check]] = {
    "a value": ("POST", "", {"code": "print('x')\n6 * 7"}, answered(
        success=True, final_expression=42, std_out="x\n", std_err="",
        output_files=[], exit_code=0)),
    "files": ("POST", "", {
        "code": "open('out.txt', 'w').write(open('in.txt').read())",
        "files": FILES}, answered(success=True, output_files=[
            {"filename": "out.txt", "b64_data": b64("given")}])),
    "an exception": ("POST", "", {"code": "print('x')\n1 / 0"}, failed(
        "ZeroDivisionError", "Code context:\n1: print('x')\n2: 1 / 0",
        std_out="x\n", exit_code=1)),
    "an exit": ("POST", "", {"code": "import sys\nsys.exit(3)"},
                failed("SystemExit", "3", exit_code=3)),
    "a crash": ("POST", "", {"code": "import os\nos.abort()"},
                failed("killed", "SIGABRT", exit_code=134)),
    "the time limit": ("POST", "", {"code": SLOW, "timeout_ms": 700}, failed(
        "timeout", "time.sleep(60)", std_out="first\n",
        output_files=[{"filename": "out", "b64_data": b64("x")}])),
    "no code": ("POST", "", {"code": " \n"},
                failed("parsing", "no code provided")),
    "nothing": ("POST", "", {}, failed("parsing", "no code provided")),
    "a bad file": ("POST", "", {"code": "1", "files": [
        {"filename": "../x", "b64_data": ""}]}, failed("parsing", "files[0]")),
    "an unknown field": ("POST", "", {"code": "1", "sesion": "x"}, answered(
        success=True, warnings=[
            'the field "sesion" is unknown and has no effect'])),
    "no JSON": ("POST", "", "code=1", refused(400, "bad_json")),
    "a wrong type": ("POST", "", {"code": 1}, refused(400, "bad_type")),
    "too long": ("POST", "", {"code": "1", "timeout_ms": 10**9},
                 refused(400, "limit_out_of_range")),
    "PUT": ("PUT", "", {"code": "1"}, refused(405, "method_not_allowed")),
    "health": ("GET", "/health", None, text(200, b"hi!")),
    "health, HEAD": ("HEAD", "/health", None, text(200, b"")),
    "health/": ("GET", "/health/", None, text(200, b"hi!")),
    "health/, HEAD": ("HEAD", "/health/", None, text(200, b"")),
    "packages": ("GET", "/packages", None, lists("numpy", True)),
    "package names": ("GET", "/available-packages", None,
                      lists("numpy", False)),
    "forbidden": ("POST", "/forbidden-packages", {"packages": ["os", "a"]},
                  answered(packages=["os", "a"])),
    "stop": ("GET", "/stop", None, answered(status="ok")),
    "stop, HEAD": ("HEAD", "/stop", None, text(200, b"")),
    "another path": ("GET", "/nothing", None, refused(404, "not_found")),
}


@pytest.mark.parametrize("case", list(NATIVE))
def test_native(caller: Caller, case: str) -> None:
    method, path, body, check = NATIVE[case]
    check(caller.ask(method, path, body))


@pytest.mark.parametrize("token", [
    {}, {"Authorization": "Bearer wrong"}, {"X-Api-Key": "wrong"},
    {"Authorization": "Basic " + b64("local:wrong")},
    {"Authorization": "Basic !"}])
def test_native_without_a_valid_token(caller: Caller,
                                      token: dict[str, str]) -> None:
    for method, path, body in (("POST", "", {"code": "1"}),
                               ("GET", "/packages", None),
                               ("GET", "/stop", None)):
        refused(401, "unauthorized")(caller.ask(method, path, body, token))
    text(200, b"hi!")(caller.ask("GET", "/health", None, token))


def test_an_answer_ends_with_its_first_newline(client: Client) -> None:
    """The original's client reads letter by letter until a newline."""
    body = json.dumps({"code": "print('a\\nb')\n'\\n'"}).encode()
    with client.socket() as sock:
        sock.sendall(head("POST", "//", {
            "Host": "x", **REQUESTS, "Authorization":
            f"bearer {client.token}"}, len(body)) + body)
        data = b""
        while b"\n" not in data.partition(b"\r\n\r\n")[2]:
            got = sock.recv(1)
            assert got
            data += got
    line = json.loads(data.partition(b"\r\n\r\n")[2])
    assert (line["std_out"], line["final_expression"]) == ("a\nb\n", "\n")


@pytest.mark.timed
def test_a_run_ends_before_its_client_gives_up(client: Client) -> None:
    """Without a limit of its own, a run has the default one; and its client
    gets what the program printed."""
    sock = client.begin(SLOW)
    sock.settimeout(PATIENCE_S)
    reply = finish(sock)
    failed("timeout", "25000 ms", std_out="first\n")(reply)
    assert reply.seconds < PATIENCE_S


# -- RAGFlow

RAGFLOW_KEYS = {
    "status", "stdout", "stderr", "exit_code", "detail", "time_used_ms",
    "memory_used_kb", "resource_limit_type", "unauthorized_access_type",
    "runtime_error_type", "artifacts", "result"}
RAGFLOW_KINDS = [name for name in KINDS if KINDS[name].address == ""]


def coded(code: str, **fields: Any) -> dict[str, Any]:
    """As RAGFlow's provider asks."""
    return {"code_b64": b64(code), "language": "python", "arguments": {},
            **fields}


def ran(status: str, exit_code: int, words: str = "", **wanted: Any) -> Check:
    def check(reply: Reply) -> None:
        answered(status=status, exit_code=exit_code, **wanted)(reply)
        got = reply.json()
        assert set(got) == RAGFLOW_KEYS
        if status == "success":
            return
        assert got["stdout"] == "" and words in got["stderr"]
        assert got["stderr"] and got["artifacts"] == []
        assert got["result"] is None
    return check


def detail(status: int, words: str) -> Check:
    def check(reply: Reply) -> None:
        assert reply.status == status, reply.body
        assert list(reply.json()) == ["detail"]
        assert words in reply.json()["detail"]
    return check


PRINT = "print('printed')\n"
RAGFLOW: dict[str, tuple[str, str, Any, Check]] = {
    "a value": ("POST", "/run", coded(
        "def main(a, b): print('x'); return {'sum': a + b}",
        arguments={"a": 1, "b": 2}), ran(
            "success", 0, stdout="x\n", stderr="", detail=None, artifacts=[],
            result={"present": True, "value": {"sum": 3}, "type": "json"})),
    "no arguments": ("POST", "/run", coded(
        "def main(): return None", arguments=None), ran(
            "success", 0, result={"present": True, "value": None,
                                  "type": "json"})),
    "numbers as keys": ("POST", "/run", coded(
        "def main(): return {1: {None: True}}"), ran(
            "success", 0, result={"present": True, "type": "json",
                                  "value": {"1": {"null": True}}})),
    "a script's end": ("POST", "/run", coded(
        "def main(): return __name__\n"
        "if __name__ == '__main__':\n    raise SystemExit(main())"), ran(
            "success", 0, result={"present": True, "type": "json",
                                  "value": "main"})),
    "an artifact": ("POST", "/run", coded(
        "def main(): open('artifacts/a.csv', 'w').write('1,2')"), ran(
            "success", 0, artifacts=[{
                "name": "a.csv", "mime_type": "text/csv", "size": 3,
                "content_b64": b64("1,2")}])),
    "other fields": ("POST", "/run", coded(
        "def main(): return 1", timeout=10, user="x"),
        ran("success", 0)),
    "bad syntax": ("POST", "/run", coded(PRINT + "def main(:"),
                   ran("program_runner_error", -999, "line 2")),
    "an exception": ("POST", "/run", coded(PRINT + "def main(): 1 / 0"), ran(
        "program_error", 1, "ZeroDivisionError",
        runtime_error_type="nonzero_exit")),
    "an exit": ("POST", "/run", coded(
        PRINT + "import sys\ndef main(): sys.exit(7)"),
        ran("program_error", 7, "7", runtime_error_type="nonzero_exit")),
    "no main": ("POST", "/run", coded(PRINT), ran("program_error", 1,
                                                  "main")),
    "no JSON": ("POST", "/run", coded(PRINT + "def main(): return {1}"),
                ran("program_error", 1, "the value must be JSON")),
    "memory": ("POST", "/run", coded(
        PRINT + "def main(): return len(bytes(1 << 40))"), ran(
            "resource_limit_exceeded", -137, "MemoryError",
            resource_limit_type="memory")),
    "a file": ("POST", "/run", coded(
        PRINT + "def main(): open('/etc/passwd', 'w')"), ran(
            "unauthorized_access", 1, "not permitted",
            unauthorized_access_type="file_access")),
    "a process": ("POST", "/run", coded(
        PRINT + "import os\ndef main(): os.fork()"), ran(
            "unauthorized_access", 1, "not permitted",
            unauthorized_access_type="disallowed_syscall")),
    "bad base64": ("POST", "/run", {"code_b64": "e A="},
                   detail(422, "code_b64")),
    "no UTF-8": ("POST", "/run", {"code_b64": b64(b"\xff")},
                 detail(422, "UTF-8")),
    "no code": ("POST", "/run", {"language": "python"},
                detail(422, "code_b64")),
    "nodejs": ("POST", "/run", coded("", language="nodejs"),
               detail(422, "Python only")),
    "another language": ("POST", "/run", coded("", language="perl"),
                         detail(422, "language")),
    "a list": ("POST", "/run", coded("", arguments=[1]),
               detail(422, "arguments")),
    "no object": ("POST", "/run", "[1]", detail(422, "object")),
    "nothing": ("POST", "/run", "", detail(422, "empty")),
    "GET": ("GET", "/run", None, detail(405, "method")),
    "healthz": ("GET", "/healthz", None, answered(status="ok")),
    "healthz, HEAD": ("HEAD", "/healthz", None, text(200, b"")),
}


@pytest.mark.parametrize("case", list(RAGFLOW))
@pytest.mark.parametrize("kind", RAGFLOW_KINDS)
def test_ragflow(client: Client, settings: Settings, kind: str,
                 case: str) -> None:
    method, path, body, check = RAGFLOW[case]
    check(Caller(KINDS[kind], client, settings).ask(method, path, body))


def ask_slowly(caller: Caller, *words: Any) -> Reply:
    """Ask as often as requests without a token may be sent."""
    begun = time.monotonic()
    while True:
        reply = caller.ask(*words)
        if b'"exit_code":-429' not in reply.body or \
                time.monotonic() - begun > 60:
            return reply
        time.sleep(0.2)


@pytest.mark.parametrize("kind", RAGFLOW_KINDS)
def test_ragflow_without_a_valid_token(client: Client, settings: Settings,
                                       kind: str) -> None:
    caller = Caller(KINDS[kind], client, settings)
    for token in ({}, {"Authorization": "Basic " + b64("local:wrong")}):
        reply = ask_slowly(caller, "POST", "/run", coded("def main(): pass"),
                           token)
        detail(401, "token")(reply)
        answered(status="ok")(caller.ask("GET", "/healthz", None, token))


@pytest.mark.parametrize("headers", [REQUESTS, FETCH, HTTPX, CURL])
def test_ragflow_asks_at_the_root(client: Client,
                                  headers: dict[str, str]) -> None:
    """GET / of a client that accepts anything; a browser gets the page."""
    reply = client.request("GET", "/", headers=headers, auth=False)
    answered(status="ok")(reply)
    assert reply.json() == {"status": "ok"}
    page = client.request("GET", "/", headers={
        "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"},
        auth=False)
    assert b"<h1>" in page.body


# -- the libraries themselves: the table of docs/clients.md

PYTHON_CLIENT = """
import json, os, sys
import {library} as library
reply = library.post(os.environ["ADDRESS"], json={{"code": "6 * 7"}},
                     timeout=30)
print(json.dumps(reply.json()["final_expression"]))
"""
URLLIB_CLIENT = """
import base64, json, os, urllib.request
from urllib.parse import urlsplit
parts = urlsplit(os.environ["ADDRESS"])
pair = base64.b64encode(f"{parts.username}:{parts.password}".encode())
request = urllib.request.Request(
    f"https://{parts.hostname}:{parts.port}/", b'{"code": "6 * 7"}',
    {"Authorization": "Basic " + pair.decode()})
print(json.load(urllib.request.urlopen(request))["final_expression"])
"""
NODE_CLIENT = """
const request = require("https").request(process.env.ADDRESS,
    {method: "POST"}, (reply) => {
        let text = "";
        reply.on("data", (piece) => text += piece);
        reply.on("end", () => console.log(JSON.parse(text).final_expression));
    });
request.on("error", (error) => { console.error(error); process.exit(1); });
request.end(JSON.stringify({code: "6 * 7"}));
"""
PYTHON = "/usr/bin/python3"
LIBRARIES: dict[str, tuple[str, list[str]]] = {
    "requests": ("REQUESTS_CA_BUNDLE", [
        PYTHON, "-c", PYTHON_CLIENT.format(library="requests")]),
    "httpx": ("SSL_CERT_FILE", [
        PYTHON, "-c", PYTHON_CLIENT.format(library="httpx")]),
    "urllib": ("SSL_CERT_FILE", [PYTHON, "-c", URLLIB_CLIENT]),
    "curl": ("CURL_CA_BUNDLE", [
        "sh", "-c", "curl -sS -d '{\"code\": \"6 * 7\"}' $ADDRESS | "
        "grep -o '\"final_expression\":42' | grep -o 42"]),
    "node": ("NODE_EXTRA_CA_CERTS", ["node", "-e", NODE_CLIENT]),
}
TRUST = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE",
         "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")


def has(library: str) -> bool:
    if LIBRARIES[library][1][0] == PYTHON:
        return importlib.util.find_spec(library) is not None
    return shutil.which(library) is not None


@pytest.mark.parametrize("library", list(LIBRARIES))
def test_a_variable_makes_a_library_trust_the_server(
        settings: Settings, library: str) -> None:
    """With the token in the address; and it does not trust it without."""
    if not settings.name or not settings.cacert or not has(library):
        pytest.skip(f"no {library}, no name of the token or no certificate")
    variable, command = LIBRARIES[library]
    plain = {name: value for name, value in os.environ.items()
             if name not in TRUST}
    plain["ADDRESS"] = settings.url.replace(
        "https://", f"https://{settings.name}:{settings.token}@") + "/"
    done = subprocess.run(command, env={**plain, variable: settings.cacert},
                          capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "42", done.stderr
    done = subprocess.run(command, env=plain, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode != 0 and "certificate" in done.stderr.lower()


# -- addresses


@pytest.mark.parametrize("path", [
    "//run", "//healthz", "//execute", "//status", "///", "///health",
    "//health//", "/stop//", "//api/ai/python-execute", "/%2Fstop"])
def test_no_other_path_may_have_two_slashes(client: Client,
                                            path: str) -> None:
    for method in ("GET", "POST"):
        reply = client.request(method, path,
                               "{}" if method == "POST" else None)
        assert reply.status == 404, path
