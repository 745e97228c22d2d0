"""The examples of docs/agents.md, run as they stand on the page: with the
server's address and token in place of HOST and TOKEN, and with a stand-in where
the example asks a model."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from conftest import ROOT, Settings
from npm import installed, newest_node

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
RUN_S = 120
CODE = json.dumps({"code": "print(6 * 7)"})
# Sections whose examples no test can run: their hosts cannot be had.
NOT_RUN = {"Open WebUI", "vLLM and gpt-oss", "LiteLLM", "smolagents", "CrewAI",
           "Flowise"}
NO_HOST = {"Token and certificate", "Any host of OpenAPI tools",
           "If it does not work"}


def section(head: str) -> str:
    return PAGE.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def blocks(head: str) -> list[str]:
    """The examples of a section: lines that are indented by four blanks."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", section(head), re.M)
    return [re.sub(r"^    ", "", block.strip("\n"), flags=re.M) + "\n"
            for block in found]


class Examples:
    """Runs examples of the page."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.host = settings.url.rstrip("/").partition("//")[2]
        authority = settings.cacert or ""
        self.env = {**os.environ, "NODE_EXTRA_CA_CERTS": authority,
                    "CURL_CA_BUNDLE": authority, "TERRARIUM_CACERT": authority,
                    "TERRARIUM_URL": settings.url,
                    "TERRARIUM_TOKEN": settings.token,
                    "PYTHONPATH": str(ROOT / "client"),
                    "OPENAI_API_KEY": "none"}

    def text(self, head: str, number: int) -> str:
        return blocks(head)[number].replace("HOST", self.host) \
            .replace("TOKEN", self.settings.token) \
            .replace("ca.crt", self.settings.cacert or "")

    def run(self, *command: str, **env: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True,
                              text=True, timeout=RUN_S,
                              env={**self.env, **env})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def node(self, program: str, **env: str) -> str:
        """Run a program in JavaScript, beside the packages it imports."""
        place = installed("mcp")
        path = place / f"example-{threading.get_ident()}.mjs"
        path.write_text(program, encoding="utf-8")
        try:
            return self.run(newest_node(place), str(path), **env)
        finally:
            path.unlink()

    def shell(self, command: str) -> str:
        return self.run("bash", "-c", command)

    def python(self, program: str) -> str:
        return self.run(sys.executable, "-c", program)


@pytest.fixture
def examples(settings: Settings, tmp_path: Path) -> Examples:
    return Examples(settings, tmp_path)


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a stand-in for a model: it calls the tool, then repeats
    the tool's answer."""
    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802
            size = int(self.headers["Content-Length"])
            last = json.loads(self.rfile.read(size))["messages"][-1]
            message: dict[str, Any] = {"role": "assistant", "content": None}
            if last["role"] == "tool":
                message["content"] = f"answer: {last['content']}"
            else:
                message["tool_calls"] = [{
                    "id": "1", "type": "function", "function": {
                        "name": "run_python", "arguments": CODE}}]
            body = json.dumps({
                "id": str(uuid.uuid4()), "object": "chat.completion",
                "created": 1,
                "model": "MODEL", "choices": [{
                    "index": 0, "message": message, "finish_reason":
                        "stop" if message["content"] else "tool_calls"}],
            }).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


# -- the examples, by section


def test_a_file_of_servers(examples: Examples) -> None:
    """The official client takes the same address and headers."""
    given = json.loads(examples.text("Claude and other MCP hosts", 0))
    server = given["mcpServers"]["python"]
    assert server["type"] == "http"
    client = examples.text("Claude and other MCP hosts", 1)
    program, count = re.subn(r"Authorization: \"[^\"]*\"",
                             json.dumps(server["headers"])[1:-1], client)
    assert count == 1
    program, count = re.subn(r"new URL\(\"[^\"]*\"\)",
                             f"new URL({json.dumps(server['url'])})", program)
    assert count == 1 and examples.node(program) == "42\n\n"


def test_the_official_client(examples: Examples) -> None:
    program = examples.text("Claude and other MCP hosts", 1)
    assert examples.node(program) == "42\n\n"


def test_langchain(examples: Examples, model: str) -> None:
    out = examples.node(examples.text("LangChain", 0), OPENAI_BASE_URL=model)
    assert out.startswith("answer: ") and "42" in out


def test_openai(examples: Examples, model: str) -> None:
    out = examples.node(examples.text("OpenAI function calling", 0),
                        OPENAI_BASE_URL=model)
    answer = json.loads(out.removeprefix("answer: "))
    assert answer["success"] is True and answer["std_out"] == "42\n"


def test_openai_in_python(examples: Examples) -> None:
    program = examples.text("OpenAI function calling", 1)
    assert examples.python(program) == "42\n"


def test_dify(examples: Examples) -> None:
    document = json.loads(examples.shell(examples.text("Dify", 0)))
    assert document["servers"] == [{"url": f"https://{examples.host}"}]
    assert {entry["operationId"] for path in document["paths"].values()
            for entry in path.values()} == {"run_python", "list_packages"}


def test_ragflow(examples: Examples) -> None:
    assert examples.python(examples.text("RAGFlow", 0)) == "42\n"


def test_curl_with_streaming(examples: Examples) -> None:
    out = examples.shell(examples.text("curl", 0))
    lines = [json.loads(line) for line in out.splitlines()]
    printed = [line["text"] for line in lines if line["type"] == "stdout"]
    assert printed == ["0\n", "1\n", "2\n"]
    assert lines[-1]["type"] == "end" and \
        lines[-1]["final_expression"] == 42


def test_curl_as_a_host(examples: Examples) -> None:
    answer = json.loads(examples.shell(examples.text("curl", 1)))
    assert answer["result"]["content"][0]["text"] == "42"


# -- the page


RUN: dict[str, Callable[..., None]] = {
    "Claude and other MCP hosts": test_the_official_client,
    "LangChain": test_langchain, "OpenAI function calling": test_openai,
    "Dify": test_dify, "RAGFlow": test_ragflow,
    "curl": test_curl_with_streaming}


def test_each_section_says_whether_it_was_run() -> None:
    heads = set(re.findall(r"^## (.*)$", PAGE, re.M)) - NO_HOST
    assert heads == NOT_RUN | set(RUN)
    for head in heads:
        bold = "**Not run:**" if head in NOT_RUN else "**Run:**"
        assert bold in section(head), head


@pytest.mark.parametrize("head", ["smolagents", "CrewAI"])
def test_examples_that_are_not_run_are_python(head: str) -> None:
    compile(blocks(head)[0], head, "exec")
