"""The official conformance suite of the Model Context Protocol, for both eras.

It needs tools and resources that the product does not have: a build for tests
has them as programs for run_python, and as files of a session
(tests/mcp/fixtures.c). The scenarios of features that
the server does not offer are named below with the reason; a scenario that is
not named must pass, and one that is named must fail.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from npm import ROOT, installed
from own_server import SOON, Place
from ports import free_ports
from sessions import begin

DAEMON = ROOT / "build" / "tests" / "terrariumd-fixtures"
RUN_S = 240

ASKS = "the server asks its clients nothing: no sampling, elicitation, roots"
NOT_OFFERED = {
    "nothing is remembered of clients, so none is told of changes":
        re.compile("resources-(un)?subscribe"),
    "no prompts are offered": re.compile("prompts-.*"),
    "no completions are offered": re.compile("completion-complete"),
    "no log messages are sent":
        re.compile("logging-set-level|tools-call-with-logging"),
    "sound is a resource, as all files are": re.compile("tools-call-audio"),
    ASKS: re.compile(r"tools-call-(sampling|elicitation)|elicitation-.*|"
                     r"input-required-result-(?!missing-input|unsupported|"
                     r"ignore-extra|validate-input).*"),
    "prompts are asked for their caching, too": re.compile("caching"),
    "a tool is asked for that " + ASKS: re.compile("server-stateless"),
    # Not scored by the suite itself: extensions, and pending scenarios.
    "no tasks are offered": re.compile("tasks-(?!status-notifications).*"),
    "the tool's schema has none of the keywords": re.compile("json-schema-.*"),
    "no tool has parameters in headers":
        re.compile("http-custom-header-server-validation"),
}
# The files of the session "fixtures".
FILES = """
open('static.txt', 'w').write('text')
open('static.png', 'wb').write(b'PNG')
open('123.json', 'w').write('{"id": "123"}')
"""
RESULT = re.compile(r"^([✓✗]) (\S+): \d+ passed, \d+ failed$", re.M)


def not_offered(scenario: str) -> bool:
    return any(pattern.fullmatch(scenario)
               for pattern in NOT_OFFERED.values())


@pytest.fixture(scope="module")
def suite() -> Path:
    place = installed("mcp")
    found = sorted(place.glob("node_modules/node-linux-*/bin/node"))
    if not found:
        pytest.skip("the conformance suite needs a newer node, which npm did "
                    "not install for this processor")
    return found[0]


@pytest.fixture(scope="module")
def address(suite: Path, shared_place: Place) -> Iterator[str]:
    """Where the suite can reach the server without TLS and token. It sends
    requests as a page of that address, and of others."""
    port = free_ports(1)[0]
    address = f"http://127.0.0.1:{port}"
    shared_place.env["DAEMON"] = str(DAEMON)
    begin(shared_place, SOON, NGINX_CORS=address)
    given = shared_place.assignments()
    filled = shared_place.client().run(FILES, session="fixtures").json()
    assert filled["success"], filled
    with subprocess.Popen(
            [str(suite), "relay.mjs", str(port),
             given["TERRARIUM_URL"] + "/mcp", given["TERRARIUM_TOKEN"]], cwd=ROOT / "build" / "mcp",
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "NODE_EXTRA_CA_CERTS":
                 given["TERRARIUM_CACERT"]}) as relay:
        assert relay.stdout and relay.stdout.readline() == "ready\n"
        yield address
        relay.kill()


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_requirements(suite: Path, address: str, revision: str) -> None:
    program = ROOT / "build/mcp/node_modules/.bin/conformance"
    done = subprocess.run(
        [str(suite), str(program), "server", "--url", f"{address}/mcp",
         "--requirements", revision], capture_output=True, text=True,
        timeout=RUN_S)
    results = {name: sign == "✓"
               for sign, name in RESULT.findall(done.stdout)}
    assert len(results) > 20, done.stdout[-2000:] + done.stderr[-2000:]
    wrong = {name for name, passed in results.items()
             if passed == not_offered(name)}
    assert not wrong, (sorted(wrong), done.stdout[-4000:])
