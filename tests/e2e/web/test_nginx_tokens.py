"""nginx.conf.example in a real nginx: tokens with limits of their own, and
pages of the origins that an operator names."""

import concurrent.futures
import contextlib
import re
import socket
import subprocess
import time
from typing import Dict, Iterator, List, Optional, Tuple

import pytest

# pylint: disable=wrong-import-position
from nginx_harness import (  # noqa: E402
    ADD_TOKEN, SOURCE, Nginx, Reply, assert_error, running)

# Each has a token with these limits.
CLIENTS: Dict[str, List[str]] = {
    "five": ["--rate", "5"],
    "fifty": ["--rate", "50", "--concurrency", "40"],
    "three": ["--concurrency", "3"],
    "here": ["--from", "127.0.0.0/8,10.0.0.0/8"],
    "away": ["--from", "10.0.0.0/8,2001:db8::/32"],
    "runner": ["--door", "ragflow"],
    "two": ["--door", "code-interpreter,native"],
    "sdk": ["--door", "e2b"],
    "rest": ["--door", "job,dify,mcp,snekbox,piston"],
    "both": ["--rate", "1000", "--concurrency", "100", "--door", "native",
             "--from", "127.0.0.1"],
}


@pytest.fixture(name="nginx", scope="module")
def nginx_fixture() -> Iterator[Nginx]:
    with running() as nginx:
        for name, limits in CLIENTS.items():
            nginx.add_token(name, *limits)
        nginx.reload()
        yield nginx


def add_token(nginx: Nginx, *words: str) -> None:
    subprocess.run([str(ADD_TOKEN), "-f", nginx.path("etc", "tokens.map"),
                    *words], check=True, stderr=subprocess.DEVNULL)


def burst(nginx: Nginx, count: int, token: str) -> List[Reply]:
    """COUNT requests, as fast as eight threads can send them."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(nginx.ask, token=token) for _ in range(count)]
        return [one.result() for one in asked]


def passed(replies: List[Reply]) -> int:
    """How many were let through; the others must be 429."""
    for reply in replies:
        if reply.status != 200:
            assert_error(reply, 429, "too_many_requests")
    return [reply.status for reply in replies].count(200)


# --- How much --------------------------------------------------------------

def test_rate_of_a_token(nginx: Nginx) -> None:
    """Five a second and five more at once; the others are not in the way."""
    begun = time.monotonic()
    good = passed(burst(nginx, 60, "five"))
    seconds = time.monotonic() - begun
    assert 6 <= good <= 7 + 5 * seconds, (good, seconds)
    assert good < 60
    for other in ("alice", "fifty", "both"):
        assert passed(burst(nginx, 40, other)) == 40


def test_rate_comes_back(nginx: Nginx) -> None:
    """A client that waits as Retry-After says is served."""
    late = [reply for reply in burst(nginx, 60, "five")
            if reply.status == 429]
    time.sleep(int(late[0].one("Retry-After")))
    assert nginx.ask(token="five").status == 200


def test_rate_counts_what_is_not_run(nginx: Nginx) -> None:
    """Also refusals, the status and the page: they cost something, too."""
    burst(nginx, 20, "five")
    for method, path in (("GET", "/"), ("GET", "/status"), ("GET", "/nope"),
                         ("PUT", "/")):
        statuses = {nginx.ask(method, path, token="five").status
                    for _ in range(20)}
        assert 429 in statuses, path


def test_a_token_without_a_token_in_the_map_is_no_class(nginx: Nginx) -> None:
    """Another case of the letters is another credential, and no client's."""
    pair = nginx.tokens["five"].upper()
    assert pair != nginx.tokens["five"]
    for name in ("five", "away", "runner"):
        reply = nginx.ask(token=None, headers={
            "X-Api-Key": nginx.tokens[name].upper()})
        assert_error(reply, 401, "unauthorized")


def keep_open(nginx: Nginx, count: int, token: str,
              stack: contextlib.ExitStack) -> None:
    """That many requests, until STACK is left."""
    body = b'{"sleep": 30, "text": "x"}'
    for _ in range(count):
        plain = socket.create_connection(("127.0.0.1", nginx.port), 5)
        peer = stack.enter_context(nginx.tls().wrap_socket(
            plain, server_hostname="localhost"))
        peer.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
                     + nginx.tokens[token].encode() + b"\r\n"
                     b"Content-Length: %d\r\n\r\n" % len(body) + body)


def refused_within(nginx: Nginx, token: str, seconds: float) -> Reply:
    """The first answer of 429, once the requests before have arrived."""
    end = time.monotonic() + seconds
    while True:
        reply = nginx.ask(token=token)
        if reply.status == 429:
            return reply
        assert time.monotonic() < end, "none was refused"


def test_concurrency_of_a_token(nginx: Nginx) -> None:
    with contextlib.ExitStack() as stack:
        keep_open(nginx, 2, "three", stack)
        assert nginx.ask(token="three").status == 200
        keep_open(nginx, 1, "three", stack)
        assert_error(refused_within(nginx, "three", 10), 429,
                     "too_many_requests")
        for other in ("alice", "fifty", "both"):
            assert nginx.ask(token=other).status == 200


def test_concurrency_above_the_default() -> None:
    """A token's own limit takes the place of the default."""
    with running((("default_open 128", "default_open 2"),)) as nginx, \
            contextlib.ExitStack() as stack:
        nginx.add_token("many", "--concurrency", "9")
        nginx.reload()
        keep_open(nginx, 8, "many", stack)
        time.sleep(0.3)
        assert nginx.ask(token="many").status == 200
        keep_open(nginx, 2, "alice", stack)
        refused_within(nginx, "alice", 10)


# --- Where -----------------------------------------------------------------

def refusal(reply: Reply) -> str:
    assert_error(reply, 403, "forbidden")
    return reply.json()["error"]["message"]


def doors() -> List[Tuple[str, str, Optional[str]]]:
    """Each method and path of the workers, and its door in the words of
    add-token."""
    text = (SOURCE / "fcgi" / "route" / "route.c").read_text()
    rows = re.findall(r'\{"([A-Z]+)", "(/[^"]*)",\s*&?(\w+),', text)
    assert len(rows) > 10
    pages = re.compile("/api/v2/(piston/)?(runtimes|packages|connect)")
    return [(method, path, None if door == "NULL" or pages.fullmatch(path) else
             re.sub("^solver_api.*", "job",
                    re.sub("(_v1|_port|_files|_rpc)?_door$", "", door)))
            for method, path, door in
            ((method, re.sub(r"\{\w+\}", "a0", path), door)
             for method, path, door in rows)]


def test_each_path_has_its_door(nginx: Nginx) -> None:
    """A path that runs programs takes tokens of its door alone."""
    for method, path, door in doors():
        for token, good in (("runner", ["ragflow"]),
                            ("two", ["native", "code_interpreter"]),
                            ("sdk", ["e2b"]),
                            ("rest", ["job", "dify", "mcp", "snekbox",
                                      "piston"]),
                            ("alice", [door])):
            reply = nginx.ask(method, path, token=token, headers={
                "Accept": "application/json"})
            wanted = 200 if door is None or door in good else 403
            assert reply.status == wanted, (path, token, reply.body)


def test_door_of_a_token(nginx: Nginx) -> None:
    assert refusal(nginx.ask(token="runner")) == \
        "This token is not valid for this path."
    reply = nginx.ask(path="/run", token="two")
    assert (reply.status, reply.json()) == (
        403, {"detail": "This token is not valid for this path."})
    reply = nginx.ask(path="/api/ai/python-execute", token="two")
    assert (reply.status, reply.json()["ok"]) == (403, False)


@pytest.mark.parametrize("path", ["/%72un", "/r%75n?x", "/run?/"])
def test_door_of_a_path_in_other_letters(nginx: Nginx, path: str) -> None:
    """The path that counts is the one that a worker is told."""
    assert nginx.ask(path=path, token="two").status == 403
    assert nginx.ask(path=path, token="runner").status == 200


def test_pages_are_open_to_each_token(nginx: Nginx) -> None:
    for path in ("/packages", "/status", "/health", "/"):
        assert nginx.ask("GET", path, token="runner").status == 200
    assert nginx.ask("GET", "/nope", token="runner").status == 404
    assert nginx.ask("PUT", "/", token="runner").status == 405


def test_address_of_a_token(nginx: Nginx) -> None:
    assert nginx.ask(token="here").status == 200
    assert nginx.ask("GET", "/status", token="away").status == 403
    for method, path in (("POST", "/"), ("GET", "/packages")):
        assert refusal(nginx.ask(method, path, token="away")) == \
            "This token is not valid from this address."
    for path in ("/health", "/"):
        assert nginx.ask("GET", path, token="away").status == 200


def test_refused_ones_reach_no_worker(nginx: Nginx) -> None:
    """Not even when no body has come yet."""
    for token in ("runner", "away"):
        head = (b"POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
                + nginx.tokens[token].encode()
                + b"\r\nContent-Length: 50000000\r\n\r\n")
        with nginx.tls().wrap_socket(
                socket.create_connection(("127.0.0.1", nginx.port), 5),
                server_hostname="localhost") as peer:
            peer.sendall(head)
            assert peer.recv(100).startswith(b"HTTP/1.1 403 ")
    line = nginx.logged(nginx.ask(token="away").one("X-Request-Id"))
    assert (line["client"], line["status"], line["worker_status"]) == \
        ("away", 403, "")


def test_owner_and_name_are_as_without_limits(nginx: Nginx) -> None:
    params = nginx.ask(token="both").json()["params"]
    assert params["TERRARIUM_CLIENT"] == "both"
    assert re.fullmatch(r"both\|[0-9a-f]{16}", params["TERRARIUM_OWNER"])


def test_basic_credential_has_the_same_limits(nginx: Nginx) -> None:
    for name, path, status in (("away", "/", 403), ("runner", "/run", 200),
                               ("runner", "/", 403)):
        done = subprocess.run(
            ["curl", "-sS", "--cacert", str(nginx.certificate), "-o",
             "/dev/null", "-w", "%{http_code}", "-d", "{}",
             f"https://{name}:{nginx.tokens[name]}@127.0.0.1:{nginx.port}"
             + path], check=True, stdout=subprocess.PIPE, timeout=30)
        assert int(done.stdout) == status


# --- Changes ---------------------------------------------------------------

def test_change_of_limits() -> None:
    """The token and its owner stay; the limits are the new ones alone."""
    with running() as nginx:
        before = nginx.ask().json()["params"]["TERRARIUM_OWNER"]
        add_token(nginx, "--change", "alice", "--door", "ragflow")
        nginx.reload()
        assert nginx.ask().status == 403
        reply = nginx.ask(path="/run")
        assert reply.json()["params"]["TERRARIUM_OWNER"] == before
        add_token(nginx, "--change", "alice", "--rate", "2")
        nginx.reload()
        assert passed(burst(nginx, 30, "alice")) < 30
        add_token(nginx, "--change", "alice")
        nginx.reload()
        assert passed(burst(nginx, 60, "alice")) == 60
        reply = nginx.ask()
        assert reply.json()["params"]["TERRARIUM_OWNER"] == before
        add_token(nginx, "--revoke", "alice")
        nginx.reload()
        assert_error(nginx.ask(), 401, "unauthorized")
        assert nginx.ask(token="bob").status == 200


@pytest.mark.parametrize("limits, status", [
    ("rate=0", 200), ("rate=", 200), ("door=", 403), ("door=NATIVE", 403),
    ("door=none", 403), ("from=", 403), ("from=127.0.0.1", 403),
    ("from=all", 403), ("other=1", 200), ("x", 401), ("|rate=5", 401),
    ("rate=5|rate=6", 401), ("door=native from=nowhere", 403),
])
def test_limits_that_no_tool_has_written(limits: str, status: int) -> None:
    """By hand, without the zones: never more than the tool would allow."""
    with running() as nginx:
        path = nginx.directory / "etc" / "tokens.map"
        path.write_text(re.sub(r'(\|alice\|[0-9a-f]+)";', rf'\1|{limits}";',
                               path.read_text()))
        nginx.reload()
        assert nginx.ask().status == status


# --- Pages of other origins ------------------------------------------------

APP, LOCAL = "https://app.example", "http://localhost:3000"
CORS = (('cors_origins { default ""',
         f'cors_origins {{ default "{APP} {LOCAL}"'),
        # The tests send preflights faster than a stranger may.
        ("zone=stranger_rate:10m rate=5r/s",
         "zone=stranger_rate:10m rate=1000r/s"))


@pytest.fixture(name="pages", scope="module")
def pages_fixture() -> Iterator[Nginx]:
    with running(CORS) as nginx:
        yield nginx


def cors_headers(reply: Reply) -> Dict[str, str]:
    return {name.lower()[15:]: value for name, value in reply.headers
            if name.lower().startswith("access-control-")}


def preflight(nginx: Nginx, origin: str, path: str = "/") -> Reply:
    return nginx.ask("OPTIONS", path, token=None, headers={
        "Origin": origin, "Access-Control-Request-Method": "POST"})


@pytest.mark.parametrize("origin", [APP, LOCAL])
def test_named_origins(pages: Nginx, origin: str) -> None:
    reply = preflight(pages, origin)
    assert reply.status == 204
    found = cors_headers(reply)
    assert found["allow-origin"] == origin
    assert "POST" in found["allow-methods"]
    assert "Authorization" in found["allow-headers"]
    reply = pages.ask(headers={"Origin": origin})
    assert reply.status == 200
    assert cors_headers(reply) == {
        "allow-origin": origin,
        "expose-headers": "X-Request-Id, Retry-After, X-Next-Token"}
    assert "Origin" in reply.all("Vary")
    reply = pages.ask(token=None, headers={"Origin": origin})
    assert reply.status == 401
    assert cors_headers(reply)["allow-origin"] == origin


@pytest.mark.parametrize("origin", [
    "https://app.example.evil", "https://app.exampl", "http://app.example",
    "https://APP.example", "https://app.example:444", "null", "*", "",
    f"{APP} {LOCAL}", f"{LOCAL} {APP}", f"{APP}|{APP}", f"|{APP}", "|",
    f"{APP} ", f"x {APP}|{APP}", "https://other.example|https://other.example",
])
def test_other_origins_get_nothing(pages: Nginx, origin: str) -> None:
    if origin.strip() != origin:
        origin += "x"  # an HTTP library would strip it
    assert preflight(pages, origin).status == 405
    for reply in (preflight(pages, origin),
                  pages.ask(headers={"Origin": origin})):
        assert not cors_headers(reply)
        assert "Origin" not in reply.all("Vary")


def test_null_only_if_it_is_named() -> None:
    named = (('cors_origins { default ""', 'cors_origins { default "null"'),)
    with running(named) as nginx:
        assert preflight(nginx, "null").status == 204
        assert cors_headers(nginx.ask(headers={"Origin": "null"}))[
            "allow-origin"] == "null"
        assert not cors_headers(preflight(nginx, APP))


def test_no_origin_as_the_example_is(nginx: Nginx) -> None:
    for origin in (APP, "null", "", "*"):
        assert preflight(nginx, origin).status == 405
        assert not cors_headers(nginx.ask(headers={"Origin": origin}))
