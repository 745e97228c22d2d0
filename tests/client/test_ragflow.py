"""The provider for RAGFlow keeps its interface's promises."""

from __future__ import annotations

import base64
import importlib
import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from odd_server import odd_server
from terrarium_ragflow import TerrariumProvider

FILE = Path(__file__).resolve().parents[2] / "client/terrarium_ragflow.py"


@pytest.fixture(scope="module")
def provider(settings: Any) -> TerrariumProvider:
    made = TerrariumProvider()
    assert made.initialize({"endpoint": settings.url,
                            "token": settings.token,
                            "ca_file": settings.cacert})
    return made


def run(provider: TerrariumProvider, code: str, **options: Any) -> Any:
    instance = provider.create_instance("python")
    assert instance.provider == "terrarium" and instance.status == "running"
    try:
        return provider.execute_code(
            instance_id=instance.instance_id, code=code, language="python",
            **options)
    finally:
        assert provider.destroy_instance(instance.instance_id) is True


def test_a_run(provider: TerrariumProvider) -> None:
    result = run(provider, "def main(a, b=2) -> dict:\n    print('said')\n"
                 "    return {'sum': a + b}", timeout=600,
                 arguments={"a": 1})
    assert (result.stdout, result.stderr, result.exit_code) == \
        ("said\n", "", 0)
    assert 0 < result.execution_time < 10
    data = result.metadata
    assert data["result_present"] is True and data["result_type"] == "json"
    assert data["result_value"] == {"sum": 3}
    assert data["status"] == "success" and data["artifacts"] == []
    assert data["time_used_ms"] >= 0 and data["memory_used_kb"] > 0
    assert data["instance_id"]


def test_none_is_a_value(provider: TerrariumProvider) -> None:
    data = run(provider, "def main(): pass").metadata
    assert data["result_present"] is True and data["result_value"] is None


def test_artifacts(provider: TerrariumProvider) -> None:
    result = run(provider, """
def main():
    import os
    assert os.listdir("artifacts") == []
    for name in ("b.png", "a.CSV", ".x.png", "c.exe", "noend"):
        open("artifacts/" + name, "w").write("data")
    open("artifacts/empty.png", "w")
    open("artifacts/large.pdf", "wb").write(bytes(11 << 20))
    os.mkdir("artifacts/sub")
    open("artifacts/sub/d.png", "w").write("data")
    open("e.png", "w").write("data")
    return 1
""")
    assert result.metadata["artifacts"] == [
        {"name": "a.CSV", "mime_type": "text/csv", "size": 4,
         "content_b64": base64.b64encode(b"data").decode()},
        {"name": "b.png", "mime_type": "image/png", "size": 4,
         "content_b64": base64.b64encode(b"data").decode()}]
    many = run(provider, "def main():\n for n in range(20):\n"
               "  open(f'artifacts/{n}.csv', 'w').write('x')")
    assert len(many.metadata["artifacts"]) == 10


@pytest.mark.parametrize("code, status, exit_code, words", [
    ("def main(): return 1 / 0", "program_error", 1, "ZeroDivisionError"),
    ("def main(: pass", "program_runner_error", -999, "SyntaxError"),
    ("import sys\ndef main(): sys.exit(7)", "program_error", 7, "SystemExit"),
    ("import os\ndef main(): os._exit(7)", "program_error", 7, "status 7"),
    ("def main(): return b'x' * (1 << 40)", "resource_limit_exceeded", -137,
     "MemoryError"),
    ("import os\ndef main(): os.fork()", "unauthorized_access", 1,
     "PermissionError"),
    ("x = 1", "program_error", 1, "'main' is not defined"),
    ("def main(): return {1}", "program_error", 1, "set is not JSON"),
    ("def main(): return {'x': b''}", "program_error", 1, "bytes"),
    ("def main(): return 'x' * (9 << 20)", "program_error", 1,
     "takes more than"),
    ("def main(a): pass", "program_error", 1, "TypeError")])
def test_each_failure(provider: TerrariumProvider, code: str, status: str,
                      exit_code: int, words: str) -> None:
    result = run(provider, "print('before')\n" + code)
    assert result.stdout == "" and words in result.stderr
    assert result.exit_code == exit_code
    assert result.metadata["status"] == status
    assert result.metadata["result_present"] is False
    assert result.metadata["artifacts"] == []


def test_a_program_is_imported_and_keys_become_text(
        provider: TerrariumProvider) -> None:
    """As RAGFlow's own sandbox does it."""
    data = run(provider, "def main(): return {1: {None: __name__}}\n"
               "if __name__ == '__main__':\n    raise SystemExit(3)").metadata
    assert data["result_value"] == {"1": {"null": "main"}}


def test_a_busy_server_is_asked_again() -> None:
    busy = {"status": "program_runner_error", "stdout": "", "stderr": "Busy",
            "exit_code": -429, "detail": "x", "artifacts": [], "result": None}
    good = {**busy, "status": "success", "stderr": "", "exit_code": 0,
            "result": {"present": True, "value": 5, "type": "json"}}
    answers = [busy, {**busy, "exit_code": -10}, good, busy, busy]

    def reply(visit: Any) -> None:
        visit.reply(b"hi!" if "/health" in visit.head else answers.pop(0))

    with odd_server(reply) as odd:
        made = TerrariumProvider()
        assert made.initialize({"endpoint": odd.url, "token": "x"})
        assert run(made, "").metadata["result_value"] == 5
        made = TerrariumProvider()
        assert made.initialize({"endpoint": odd.url, "token": "x",
                                "max_retries": 1})
        with pytest.raises(RuntimeError, match="Busy"):
            run(made, "")
        assert answers == []


@pytest.mark.parametrize("reply", [
    {}, {"status": "success"}, {"status": "success", "stdout": "",
                                "stderr": "", "exit_code": "0",
                                "artifacts": [], "result": None},
    {"status": "success", "stdout": "", "stderr": "", "exit_code": 0,
     "artifacts": [], "result": 5}])
def test_an_answer_of_another_shape(reply: Any) -> None:
    with odd_server(lambda visit: visit.reply(
            b"hi!" if "/health" in visit.head else reply)) as odd:
        made = TerrariumProvider()
        assert made.initialize({"endpoint": odd.url, "token": "x"})
        with pytest.raises(RuntimeError, match="The answer has no right"):
            run(made, "")


def test_timeouts(provider: TerrariumProvider) -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError, match="timed out after 1 seconds"):
        run(provider, "def main():\n while True: pass", timeout=1)
    assert time.monotonic() - begun < 10


def test_what_was_not_run_is_a_runtime_error(
        provider: TerrariumProvider) -> None:
    with pytest.raises(RuntimeError, match="of type set"):
        run(provider, "def main(x): pass", arguments={"x": {1}})
    for language in ("nodejs", "javascript", "bash"):
        with pytest.raises(RuntimeError, match="Python only"):
            provider.create_instance(language)
        with pytest.raises(RuntimeError, match="Python only"):
            provider.execute_code("x", "", language)
    with odd_server(lambda visit: visit.reply(
            b"hi!" if "/health" in visit.head else {},
            "200 OK" if "/health" in visit.head else "503 Busy")) as odd:
        busy = TerrariumProvider()
        assert busy.initialize({"endpoint": odd.url, "token": "x"})
        with pytest.raises(RuntimeError, match="503"):
            run(busy, "def main(): pass")


def test_python_is_all_it_speaks(provider: TerrariumProvider) -> None:
    assert provider.get_supported_languages() == ["python"]
    assert provider.create_instance("Python3").metadata == {
        "language": "python"}


@pytest.mark.parametrize("change, words", [
    ({"endpoint": ""}, "URL"), ({"endpoint": 5}, "URL"),
    ({"endpoint": "sandbox:80"}, "URL"),
    ({"endpoint": "http://sandbox.example"}, "plain http"),
    ({"token": "a b"}, "token"), ({"timeout": 0}, "timeout"),
    ({"timeout": "5"}, "timeout"), ({"max_retries": 11}, "max_retries"),
    ({"ca_file": "/nowhere"}, "No such file")])
def test_a_bad_configuration(change: Any, words: str) -> None:
    config = {"endpoint": "https://localhost:1", "token": "x", **change}
    made = TerrariumProvider()
    good, why = made.validate_config(config)
    assert not good and why and words in why
    assert made.initialize(config) is False
    with pytest.raises(RuntimeError, match="not initialized"):
        made.create_instance()


def test_a_server_that_is_not_there() -> None:
    made = TerrariumProvider()
    config = {"endpoint": "https://127.0.0.1:1", "token": "x"}
    assert made.validate_config(config) == (True, None)
    assert made.initialize(config) is False
    assert made.health_check() is False


def test_the_schema_names_what_is_taken() -> None:
    schema = TerrariumProvider.get_config_schema()
    assert set(schema) == {"endpoint", "token", "ca_file", "timeout",
                           "max_retries"}
    assert schema["token"]["secret"] is True


INTERFACE = """
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Dict

class SandboxProvider(ABC):
    @abstractmethod
    def initialize(self, config): ...
    @abstractmethod
    def create_instance(self, template="python"): ...
    @abstractmethod
    def execute_code(self, instance_id, code, language, timeout=10,
                     arguments=None): ...
    @abstractmethod
    def destroy_instance(self, instance_id): ...
    @abstractmethod
    def health_check(self): ...
    @abstractmethod
    def get_supported_languages(self): ...

@dataclass
class SandboxInstance:
    instance_id: str
    provider: str
    status: str
    metadata: Dict[str, Any]

@dataclass
class ExecutionResult:
    stdout: str
    stderr: str
    exit_code: int
    execution_time: float
    metadata: Dict[str, Any]
"""


@pytest.fixture
def in_ragflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The interface where RAGFlow has it."""
    folder = tmp_path / "agent" / "sandbox" / "providers"
    folder.mkdir(parents=True)
    (folder / "base.py").write_text(INTERFACE)
    monkeypatch.syspath_prepend(str(tmp_path))
    name = "agent.sandbox.providers.base"
    yield importlib.import_module(name)
    for known in [m for m in sys.modules if m.split(".")[0] == "agent"]:
        del sys.modules[known]


def test_it_takes_ragflows_own_classes(in_ragflow: Any,
                                       settings: Any) -> None:
    spec = importlib.util.spec_from_file_location("in_ragflow", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    provider = module.TerrariumProvider()
    assert isinstance(provider, in_ragflow.SandboxProvider)
    assert provider.initialize({"endpoint": settings.url,
                                "token": settings.token,
                                "ca_file": settings.cacert})
    result = run(provider, "def main(): return 1")
    assert type(result) is in_ragflow.ExecutionResult
    assert result.metadata["result_value"] == 1
