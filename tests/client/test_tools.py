"""The backend for frameworks that run tools."""

from __future__ import annotations

import enum
import errno
import functools
import logging
import os
import resource
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import samples
from odd_server import OK, odd_server
from terrarium import Terrarium, ToolFailed, ToolSandbox

HERE = {"ran": 0}
RAN = 0
LOCK = threading.Lock()
GONE = Terrarium("http://127.0.0.1:1", retries=0)


def where() -> str:
    import os
    return os.getcwd()


def host_only() -> str:
    HERE["ran"] += 1
    return f"here {LOCK}"


def counted(x: Any) -> Any:
    global RAN
    RAN += 1
    return "here"


def fails(message: str) -> None:
    raise ValueError(message)


def returns_object() -> Any:
    return object()


async def awaited(x: int) -> int:
    return x + 1


def ends(how: str) -> None:
    import ctypes
    import os
    import sys
    import time
    if how == "exit":
        sys.exit(3)
    if how == "_exit":
        os._exit(4)
    if how == "crash":
        ctypes.string_at(0)
    time.sleep(20)


def test_a_tool_runs_in_the_sandbox(terrarium: Terrarium) -> None:
    tools = ToolSandbox(terrarium)
    assert tools.execute("where", where, {}) == "/home/user"
    assert tools.execute("add", samples.add, {"a": 1, "b": 5}) == 6
    assert tools.execute("awaited", awaited, {"x": 1}) == 2
    assert tools.execute("same", samples.same, {"x": b"\0"}) == b"\0"


@pytest.mark.parametrize("mode, func, arguments, sentence", [
    ("strict", fails, {"message": "the text"},
     "Tool 't' raised ValueError inside sandbox: the text"),
    ("warn", fails, {"message": "two\nlines"},
     "Tool 't' raised ValueError inside sandbox: two\nlines"),
    ("warn", ends, {"how": "sleep"},
     "Sandbox execution of tool 't' timed out after 0.5s"),
    ("strict", ends, {"how": "exit"},
     "Sandbox execution of tool 't' failed (exit 3): 3"),
    ("warn", ends, {"how": "_exit"},
     "Sandbox execution of tool 't' failed (exit 4): the process "
     "exited with status 4 before the program ended"),
    ("strict", ends, {"how": "crash"},
     "Sandbox execution of tool 't' failed (exit 139): the "
     "process was killed by signal 11 (SIGSEGV)")])
def test_the_sentences(terrarium: Terrarium, mode: str, func: Any,
                       arguments: Any, sentence: str) -> None:
    tools = ToolSandbox(terrarium, mode, timeout=0.5)
    with pytest.raises(RuntimeError) as caught:
        tools.execute("t", func, arguments)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, ToolFailed)
    assert len(caught.value.id) == 32
    assert caught.value.__cause__ is not None


def test_a_server_that_hangs_is_a_timeout() -> None:
    with odd_server(lambda visit: time.sleep(2)) as odd:
        tools = ToolSandbox(Terrarium(odd.url, wait=0.1), timeout=0.2)
        with pytest.raises(RuntimeError, match="timed out after 0.2s"):
            tools.execute("t", samples.add, {"a": 1})


def refusing(status: str) -> Any:
    return odd_server(lambda visit: visit.reply({}, status))


@pytest.mark.parametrize("mode", ["strict", "warn"])
def test_what_may_have_run_never_runs_here(mode: str) -> None:
    HERE["ran"] = 0
    for status in ("500 No", "503 Broke", "504 Late"):
        with refusing(status) as odd:
            with pytest.raises(RuntimeError, match="was not run"):
                ToolSandbox(Terrarium(odd.url), mode).execute(
                    "t", where, {})
    with odd_server(lambda visit: visit.reply(b"cut")) as odd:
        with pytest.raises(RuntimeError, match="failed"):
            ToolSandbox(Terrarium(odd.url), mode).execute("t", where, {})


def test_strict_never_runs_a_tool_here(terrarium: Terrarium) -> None:
    HERE["ran"] = 0
    with pytest.raises(RuntimeError, match="'t' was not run: .*LOCK"):
        ToolSandbox(terrarium).execute("t", host_only, {})
    with pytest.raises(RuntimeError, match="was not run: .*reached"):
        ToolSandbox(GONE).execute("t", where, {})
    with refusing("503 Busy") as odd:
        with pytest.raises(RuntimeError, match="was not run: HTTP 503"):
            ToolSandbox(Terrarium(odd.url)).execute("t", where, {})
    assert HERE["ran"] == 0


def test_warn_runs_here_when_there_is_no_server(
        caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "terrarium"):
        assert ToolSandbox(GONE, "warn").execute("t", where) == os.getcwd()
    assert "Tool 't' runs on this machine, without a sandbox" in caplog.text
    assert ToolSandbox(GONE, "warn").execute("t", awaited, {"x": 1}) == 2


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def holds_itself() -> Any:
    value: Any = []
    value.append(value)
    return value


class NoValue:
    """Of a kind that does not cross."""


# An attacker chooses arguments: none may choose this machine as well.
POISONED = [
    ("NUL", "a\0b"), ("NUL in a key", {"a\0": 1}),
    ("surrogate", "\ud800"), ("surrogate in a key", {"\udc00": 1}),
    ("NUL within", [{"$a": ["\0"]}]),
    ("nested 300", nested(300)), ("nested 900", nested(900)),
    ("nested 5000", nested(5000)), ("itself", holds_itself()),
    ("an object as a key", {NoValue(): 2}),
    ("an object", NoValue()), ("a path", Path("a\0")),
    ("an iterator", iter([1]))]


@pytest.mark.parametrize("mode", ["warn", "strict"])
@pytest.mark.parametrize("value", [value for _, value in POISONED],
                         ids=[name for name, _ in POISONED])
def test_an_argument_chooses_no_machine(terrarium: Terrarium, mode: str,
                                        value: Any) -> None:
    with pytest.raises(ToolFailed):
        ToolSandbox(terrarium, mode).execute("t", counted, {"x": value})
    assert RAN == 0


@pytest.mark.parametrize("arguments", [{"y": 1}, {}, {"x": 1, "y": 1}])
def test_arguments_that_do_not_fit(terrarium: Terrarium,
                                   arguments: Any) -> None:
    with pytest.raises(ToolFailed, match="was not run"):
        ToolSandbox(terrarium, "warn").execute("t", samples.same, arguments)


def test_a_tool_that_cannot_be_sent_is_not_run(terrarium: Terrarium) -> None:
    HERE["ran"] = 0
    with pytest.raises(ToolFailed, match="'t' was not run: .*LOCK"):
        ToolSandbox(terrarium, "warn").execute("t", host_only, {})
    assert HERE["ran"] == 0


@pytest.mark.parametrize("status", [
    "400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found",
    "413 Large", "429 Too Many", "500 No", "503 Busy", "302 Found"])
def test_a_refusal_chooses_no_machine(status: str) -> None:
    with refusing(status) as odd:
        with pytest.raises(ToolFailed):
            ToolSandbox(Terrarium(odd.url, retries=0), "warn").execute(
                "t", where, {})


def test_no_tls_is_not_no_server(certificate: Any) -> None:
    """Somebody between us and the server must not get tools to run here."""
    mute = socket.create_server(("127.0.0.1", 0))
    plain = odd_server(lambda visit: visit.reply({}))
    with mute, plain as odd, \
            odd_server(lambda visit: visit.reply({}), pem=certificate(
                "IP:127.0.0.1")) as unknown:
        port = odd.url.rsplit(":", 1)[1]
        for url in (f"https://127.0.0.1:{port}", unknown.url,
                    "https://127.0.0.1:%d" % mute.getsockname()[1]):
            with pytest.raises(ToolFailed, match="was not run"):
                ToolSandbox(Terrarium(url, retries=0, connect_timeout=0.5),
                            "warn").execute("t", where, {})


def test_a_proxy_that_refuses_is_not_no_server() -> None:
    with refusing("502 No") as odd:
        client = Terrarium("https://127.0.0.1:1", retries=0, proxy=odd.url)
        with pytest.raises(ToolFailed, match="was not run"):
            ToolSandbox(client, "warn").execute("t", where, {})


def test_no_descriptor_is_not_no_server() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = [os.dup(0)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (held[0] + 1, hard))
    try:
        while True:
            held.append(os.dup(0))
    except OSError:
        with pytest.raises(ToolFailed, match="was not run"):
            ToolSandbox(GONE, "warn").execute("t", where, {})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for one in held:
            os.close(one)


def test_a_name_that_could_not_be_looked_up(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """Without descriptors getaddrinfo() says that there is no such name."""
    def look_up(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    def no_more(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    tools = ToolSandbox(Terrarium("https://sandbox.invalid", retries=0),
                        "warn")
    assert tools.execute("t", where, {}) == os.getcwd()
    monkeypatch.setattr(socket, "socket", no_more)
    with pytest.raises(ToolFailed, match="was not run"):
        tools.execute("t", where, {})


def test_off_runs_all_here() -> None:
    tools = ToolSandbox(GONE, "off")
    assert tools.execute("t", where, {}) == os.getcwd()
    assert tools.execute("t", awaited, {"x": 1}) == 2
    with pytest.raises(ValueError, match="as it is"):
        tools.execute("t", fails, {"message": "as it is"})


def test_capabilities(terrarium: Terrarium) -> None:
    assert ToolSandbox(terrarium, timeout=5, memory_limit_mb=64
                       ).get_capabilities() == {
        "backend": "terrarium", "available": True,
        "isolation_level": "process", "filesystem_isolation": True,
        "network_isolation": True, "memory_limit_mb": 64, "timeout": 5}
    off = ToolSandbox(GONE, "off").get_capabilities()
    assert not off["filesystem_isolation"] and not off["network_isolation"]
    assert off["isolation_level"] == "none" and not off["available"]


def test_limits_are_sent() -> None:
    with odd_server(lambda visit: visit.reply(
            {**OK, "final_expression": '{"returned": 1}'})) as odd:
        ToolSandbox(Terrarium(odd.url), timeout=7, memory_limit_mb=64
                    ).execute("t", where)
        assert odd.visits[0].json()["timeout_ms"] == 7000
        assert odd.visits[0].json()["memory_mb"] == 64


def test_available() -> None:
    assert not ToolSandbox(GONE).is_available()
    with refusing("503 No") as odd:
        assert not ToolSandbox(Terrarium(odd.url)).is_available()
    with pytest.raises(ValueError, match="off, warn, strict"):
        ToolSandbox(GONE, "loose")


# -- a drop-in for the backend of a framework


class Mode(enum.Enum):
    WARN = "warn"
    STRICT = "strict"


@dataclass
class SandboxConfig:
    """As such a framework has it."""

    mode: Mode = Mode.STRICT
    sandboxed_tools: Any = ()
    sandbox_timeout: float = 30.0
    sandbox_memory_limit_mb: int = 512
    working_directory: Any = None


def test_it_takes_a_frameworks_configuration() -> None:
    register = functools.partial(ToolSandbox, GONE, word="subprocess sandbox")
    for tools in (register(SandboxConfig(Mode.WARN, (), 5.0, 64)),
                  register(sandbox_config=SandboxConfig(Mode.WARN, (), 5.0,
                                                        64))):
        assert (tools.mode, tools.timeout, tools.memory_limit_mb) == (
            "warn", 5.0, 64)
        found = tools.get_capabilities()
        assert found["memory_limit_mb"] == 64 and found["timeout"] == 5.0
    ours = register(sandbox_config=SandboxConfig(), timeout=2, mode="off")
    assert (ours.mode, ours.timeout, ours.memory_limit_mb) == ("off", 2, 512)
    with pytest.raises(ValueError, match="off, warn, strict"):
        ToolSandbox(GONE, sandbox_config=type("C", (), {"mode": "loose"})())


@pytest.mark.parametrize("func, arguments, sentence", [
    (fails, {"message": "no"},
     "Tool 't' raised ValueError inside subprocess sandbox: no"),
    (ends, {"how": "sleep"},
     "Subprocess sandbox execution of tool 't' timed out after 0.5s"),
    (ends, {"how": "exit"},
     "Subprocess sandbox execution of tool 't' failed (exit 3): 3")])
def test_its_messages_word_for_word(terrarium: Terrarium, func: Any,
                                    arguments: Any, sentence: str) -> None:
    tools = ToolSandbox(terrarium, SandboxConfig(sandbox_timeout=0.5),
                        word="subprocess sandbox")
    with pytest.raises(RuntimeError) as caught:
        tools.execute("t", func, arguments)
    assert str(caught.value) == sentence


def test_limits_above_the_servers_are_the_servers(
        terrarium: Terrarium) -> None:
    tools = ToolSandbox(terrarium, SandboxConfig(
        sandbox_timeout=86400.0, sandbox_memory_limit_mb=1 << 20))
    assert tools.execute("add", samples.add, {"a": 1}) == 3
    limits = terrarium.limits()
    assert tools.timeout == limits["timeout_ms"] / 1000
    assert tools.memory_limit_mb == limits["memory_mb"]


def test_a_value_without_a_form_as_its_repr(terrarium: Terrarium) -> None:
    assert ToolSandbox(terrarium, on_unknown="repr").execute(
        "t", returns_object).startswith("<object")
    with pytest.raises(RuntimeError, match="of type object"):
        ToolSandbox(terrarium).execute("t", returns_object)


def test_warn_sends_nothing_here_for_an_argument(
        terrarium: Terrarium) -> None:
    """Also when the server is gone: the argument is refused first."""
    with pytest.raises(ToolFailed, match="was not run: argument x"):
        ToolSandbox(GONE, "warn").execute("t", counted, {"x": object()})
    assert RAN == 0
