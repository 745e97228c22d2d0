"""E2B's door where an id alone is enough (e2b_ids of nginx.conf.example): SDKs
before 2.0 send no credential with programs. These start a server of their
own."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest
from client import JSON, Client, Reply
from conftest import wait_until
from npm import installed
from own_server import ROOT, Place
from test_e2b import create, events, kill, post
from test_e2b_files import BYTES
from test_e2b_sdk import RUN_S
from test_nginx_names import with_names

ADD_TOKEN = ROOT / "conf" / "add-token"
EXECUTE = ("POST", "/execute", {"code": "6*7"})
READ = ("GET", "/files?path=x", None)
STAT = ("POST", "/filesystem.Filesystem/Stat", {"path": "x"})


def reload_nginx(place: Place) -> None:
    """Have nginx read its files, and wait until its old workers are gone."""
    pid = int((place.prefix / "nginx.pid").read_text())
    children = Path(f"/proc/{pid}/task/{pid}/children")
    before = set(children.read_text().split())

    def changed() -> bool:
        now = set(children.read_text().split())
        return bool(now) and not now & before

    os.kill(pid, signal.SIGHUP)
    wait_until(changed, 60, "nginx has new workers")


def add_names(place: Place) -> None:
    """A certificate of its own for the names of sandboxes."""
    config = place.prefix / "nginx.conf"
    config.write_text(with_names(config.read_text(), str(place.prefix)))
    reload_nginx(place)


@pytest.fixture(scope="module")
def own(shared_place: Place) -> Place:
    started = shared_place("start", NGINX_E2B_IDS="yes")
    assert started.returncode == 0, started.stdout + started.stderr
    add_names(shared_place)
    return shared_place


@pytest.fixture(scope="module")
def client(own: Place) -> Client:
    return own.client()


def tag(client: Client) -> str:
    return hashlib.sha256(f"e2b:{client.token}".encode()).hexdigest()[:16]


def ask(client: Client, sandbox: str, method: str, path: str, fields: Any,
        port: str = "49999", headers: Optional[dict[str, str]] = None
        ) -> Reply:
    """A request to a host's name, without a credential."""
    return client.request(
        method, path, None if fields is None else json.dumps(fields),
        {**JSON, "Host": f"{port}-{sandbox}.e2b.test", **(headers or {})},
        auth=False)


@pytest.fixture(scope="module")
def sandbox(client: Client) -> Iterator[str]:
    found = create(client)["sandboxID"]
    written = client.request("POST", "/e2b/files?path=x", b"text", {
        **BYTES, "E2b-Sandbox-Id": found})
    assert written.status == 200, written.body
    yield found
    kill(client, found)


@pytest.fixture(params=["secure", "v2"])
def closed(client: Client, request: Any) -> Iterator[str]:
    """A sandbox in which an id alone is not enough."""
    reply = post(client, "/sandboxes", {"secure": True}) \
        if request.param == "secure" else post(client, "/v2/sandboxes", {})
    found = reply.json()["sandboxID"]
    yield found
    kill(client, found)


# ---- what passes -----------------------------------------------------------


def test_an_id_begins_with_its_clients_tag(client: Client,
                                           sandbox: str) -> None:
    others = [create(client)["sandboxID"] for _ in range(3)]
    for one in others:
        assert one[:16] == tag(client) and one[16:] != sandbox[16:]
        assert kill(client, one) == 204
    # Of 96 characters more than 8 are beyond f, but once in many years.
    assert any(letter > "f" for one in others for letter in one[16:])


def test_programs_and_files(client: Client, sandbox: str) -> None:
    for named in (sandbox, sandbox + "-t"):
        assert events(ask(client, named, *EXECUTE))[1]["text"] == "42"
    assert ask(client, sandbox, *READ, port="49983").body == b"text"
    entry = ask(client, sandbox, *STAT, port="49983").json()["entry"]
    assert entry["size"] == "4"
    written = client.request("POST", "/files?path=y", b"1", {
        **BYTES, "Host": f"49983-{sandbox}.e2b.test"}, auth=False)
    assert written.status == 200


def test_the_user_of_older_sdks_is_no_credential(client: Client,
                                                 sandbox: str) -> None:
    for basic in ("dXNlcjo=", "cm9vdDo="):
        reply = ask(client, sandbox, *READ, port="49983", headers={
            "Authorization": f"Basic {basic}"})
        assert (reply.status, reply.body) == (200, b"text")


def test_contexts(client: Client, sandbox: str, closed: str) -> None:
    """Also of a sandbox whose programs need a credential."""
    for named in (sandbox, closed):
        made = ask(client, named, "POST", "/contexts", {}).json()["id"]
        listed = ask(client, named, "GET", "/contexts", None).json()
        assert [one["id"] for one in listed] == [named, made]
        for method, path in (("POST", f"/contexts/{made}/restart"),
                             ("DELETE", f"/contexts/{made}")):
            assert ask(client, named, method, path, None).status == 200


# ---- what does not ---------------------------------------------------------


def refused(reply: Reply) -> bool:
    return reply.status == 401 and \
        reply.header("WWW-Authenticate") == "Bearer"


def test_a_secure_sandbox(client: Client, closed: str) -> None:
    got = ask(client, closed, *EXECUTE)
    assert refused(got)
    assert got.body == b"a credential is required in this sandbox\n"
    for call in (READ, STAT):
        got = ask(client, closed, *call, port="49983")
        assert refused(got), got.body
        assert got.json()["code"] in (401, "unauthenticated")
    whole = ask(client, closed, *EXECUTE, headers={
        "X-Access-Token": str(client.token)})
    assert events(whole)[1]["text"] == "42"


@pytest.mark.parametrize("method,path", [
    ("GET", "/sandboxes"), ("POST", "/sandboxes"), ("GET", "/v2/sandboxes"),
    ("GET", "/sandboxes/{}"), ("DELETE", "/sandboxes/{}"),
    ("POST", "/sandboxes/{}/connect"), ("POST", "/sandboxes/{}/timeout"),
    ("GET", "/sandboxes/{}/metrics"), ("GET", "/health"),
    ("POST", "/process.Process/List")])
def test_calls_about_sandboxes(client: Client, sandbox: str, method: str,
                               path: str) -> None:
    for port in ("49999", "49983"):
        got = ask(client, sandbox, method, path.format(sandbox), {}, port)
        assert refused(got), got.body
    named = {"Host": "api.e2b.test", "E2b-Sandbox-Id": sandbox}
    assert refused(client.request(method, path.format(sandbox), "{}",
                                  {**JSON, **named}, auth=False))


@pytest.mark.parametrize("path", ["/", "/packages", "/run", "/mcp", "/eval"])
def test_other_doors(client: Client, sandbox: str, path: str) -> None:
    got = ask(client, sandbox, "POST", path, {"code": "1"})
    assert got.status in (401, 404)


def test_the_header_alone(client: Client, sandbox: str) -> None:
    for host in ("", "api.e2b.test", f"3000-{sandbox}.e2b.test"):
        for method, path, fields in (EXECUTE, READ, STAT):
            got = client.request(
                method, path if host else "/e2b" + path, json.dumps(fields),
                {**JSON, **({"Host": host} if host else {}),
                 "E2b-Sandbox-Id": sandbox}, auth=False)
            assert refused(got), (host, path, got.body)


def test_a_tag_in_a_header_is_no_credential(client: Client,
                                            sandbox: str) -> None:
    for word in (f"id:{tag(client)}", f"ID:{tag(client)}", tag(client)):
        for name, value in (("Authorization", "Bearer " + word),
                            ("X-API-KEY", word), ("X-Access-Token", word),
                            ("X-Access-Token", "e2b_" + word)):
            for path in ("/e2b/sandboxes", "/packages"):
                assert refused(client.request("GET", path, headers={
                    name: value}, auth=False)), (name, value)
            got = ask(client, sandbox, *EXECUTE, headers={name: value})
            assert refused(got)


def test_a_wrong_credential_is_not_none(client: Client,
                                        sandbox: str) -> None:
    for name, value in (("X-Access-Token", "e2b_" + "0" * 64),
                        ("Authorization", "Basic dXNlcjp4")):
        assert refused(ask(client, sandbox, *EXECUTE,
                           headers={name: value}))


def test_an_id_that_is_not_there(client: Client, sandbox: str) -> None:
    lost = sandbox[:16] + "a" * 24
    for call in (EXECUTE, READ, STAT, ("GET", "/contexts", None)):
        assert ask(client, lost, *call).status == 502
    assert refused(ask(client, "0" * 16 + sandbox[16:], *EXECUTE))


# ---- other clients ---------------------------------------------------------


def add_token(own: Place, *words: str) -> str:
    """Have add-token change the tokens, and nginx read them."""
    done = subprocess.run(
        [str(ADD_TOKEN), "-f", str(own.prefix / "etc/tokens.map"), *words],
        capture_output=True, text=True, check=True)
    reload_nginx(own)
    return done.stdout.strip()


@pytest.fixture
def other(own: Place, client: Client) -> Iterator[Client]:
    made = Client(f"https://{client.host}:{client.port}",
                  add_token(own, "other"), str(own.prefix / "etc/tls.crt"))
    wait_until(lambda: made.request("GET", "/packages").status == 200, 60,
               "the token is valid")
    yield made
    if "other" in (own.prefix / "etc/tokens.map").read_text():
        add_token(own, "--revoke", "other")


def test_another_clients_tag(client: Client, other: Client,
                             sandbox: str) -> None:
    theirs = create(other)["sandboxID"]
    assert theirs[:16] == tag(other) != tag(client)
    assert events(ask(client, theirs, *EXECUTE))[1]["text"] == "42"
    mixed = tag(other) + sandbox[16:]
    for call in (EXECUTE, READ, ("GET", "/contexts", None)):
        assert ask(client, mixed, *call).status == 502
    assert kill(client, theirs) == 404 and kill(other, theirs) == 204


def test_a_revoked_token(own: Place, client: Client, other: Client) -> None:
    theirs = create(other)["sandboxID"]
    assert events(ask(client, theirs, *EXECUTE))[1]["text"] == "42"
    add_token(own, "--revoke", "other")
    wait_until(lambda: refused(ask(client, theirs, *EXECUTE)), 60,
               "the id is refused")


def test_limits_of_a_token_count_where_they_can(own: Place, client: Client,
                                                other: Client) -> None:
    """Doors and addresses hold for its ids; its rate is not used up."""
    theirs = create(other)["sandboxID"]
    add_token(own, "--change", "other", "--rate", "1", "--concurrency", "1",
              "--door", "native,e2b")
    wait_until(lambda: other.request("POST", "/eval", "{}", JSON).status
               == 403, 60, "the limits are in force")
    for _ in range(8):
        assert ask(client, theirs, *EXECUTE).status == 200
    wait_until(lambda: other.request("GET", "/e2b/sandboxes", wait=False
                                     ).status == 200, 60, "a turn of its own")
    for wrong in (["--door", "native"], ["--from", "10.1.2.3"]):
        add_token(own, "--change", "other", *wrong)
        wait_until(lambda: ask(client, theirs, *EXECUTE).status == 403, 60,
                   "the id is refused")
    add_token(own, "--change", "other")


# ---- the SDKs --------------------------------------------------------------


def drive(own: Place, generation: str, scenario: str) -> Any:
    """As in test_e2b_sdk.py, with the certificate of names verified."""
    client = own.client()
    done = subprocess.run(
        ["node", "drive.mjs", generation, scenario],
        cwd=str(installed("e2b")), capture_output=True, text=True,
        timeout=RUN_S, check=False,
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"),
             "E2B_API_KEY": f"e2b_{client.token}",
             "NODE_EXTRA_CA_CERTS": str(own.prefix / "etc/e2b.crt"),
             "E2B_DOMAIN": f"e2b.test:{client.port}"})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_sdk_of_before_2_0(own: Place) -> None:
    """CI 1.5.1 with base 1.9.0 sends no credential with programs."""
    got = drive(own, "of-1", "old")
    assert got == {
        "text": "x", "stdout": "h\u00e9\n", "again": "42",
        "failed": "KeyError", "html": "<b>\u00fc</b>",
        "context": "NameError", "read": "text", "listed": ["one"],
        "same": "42", "running": [True, False]}


def test_contexts_of_the_sdk_of_2025(own: Place) -> None:
    """It sends a credential with programs, and none about contexts."""
    got = drive(own, "of-2025", "contexts")
    assert (got["fresh"], got["count"]) == ("NameError", 2), got
    assert (got["where"], got["file"]) == ("(2, '/home/user/sub')", "file")
    assert got["lost"]["error"] == "NotFoundError"


# ---- at last, because it takes a while until others pass again --------------


def test_ids_are_limited_by_address(client: Client, sandbox: str) -> None:
    """As requests without a token are."""
    lost = sandbox[:16] + "b" * 24
    seen = set()
    for _ in range(400):
        reply = client.request("GET", "/contexts", headers={
            "Host": f"49999-{lost}.e2b.test"}, auth=False, wait=False)
        seen.add(reply.status)
        if reply.status == 429:
            break
    assert seen == {502, 429}
    # The client itself is not.
    assert post(client, "/execute", {"code": "1"}, sandbox, wait=False
                ).status == 200
