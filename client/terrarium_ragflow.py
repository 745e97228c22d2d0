"""Terrarium as a sandbox provider of RAGFlow.

Both modules must be importable where RAGFlow runs (`pip install ./client`),
and the class must be in its table of providers:

    provider = TerrariumProvider()
    provider.initialize({"endpoint": "https://sandbox.example:8443",
                         "token": token, "ca_file": "ca.crt"})
    instance = provider.create_instance("python")
    result = provider.execute_code(instance.instance_id, code, "python",
                                   timeout=10, arguments={"x": 1})

The code defines main(), which is called with the arguments. Its return value
must be JSON and is in `metadata` (`result_present`, `result_value`,
`result_type`), and so are the files that it leaves in `artifacts/`. On a
failure stdout is empty and stderr is not, because RAGFlow reads nothing else.
Outside RAGFlow the classes of its interface are defined here.
"""

from __future__ import annotations

import base64
import json
import logging
import time
import uuid
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from terrarium import (BadReturn, Failure, NotSendable, ProgramFailed,
                       ProgramOutOfMemory, ProgramTimedOut, ReplyLate, Result,
                       Terrarium, TerrariumError)

if TYPE_CHECKING:
    from dataclasses import dataclass
    FOUND = False
else:
    try:
        from agent.sandbox.providers.base import (
            ExecutionResult, SandboxInstance, SandboxProvider)
        FOUND = True
    except ImportError:
        from dataclasses import dataclass
        FOUND = False

if not FOUND:
    @dataclass
    class SandboxInstance:
        """A sandbox instance. `status`: running, stopped or error."""

        instance_id: str
        provider: str
        status: str
        metadata: Dict[str, Any]

    @dataclass
    class ExecutionResult:
        """The result of a run. `execution_time` is in seconds."""

        stdout: str
        stderr: str
        exit_code: int
        execution_time: float
        metadata: Dict[str, Any]

    class SandboxProvider:
        """RAGFlow's interface; the methods are those below."""

NAME = "terrarium"
LANGUAGES = ("python", "python3")
TIMEOUT_S = 30          # the server's own default
TIMEOUT_MOST_S = 3600
ARTIFACTS = "artifacts/"
ARTIFACTS_MOST = 10
ARTIFACT_BYTES = 10 << 20
ARTIFACT_TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "svg": "image/svg+xml", "pdf": "application/pdf", "csv": "text/csv",
    "json": "application/json", "html": "text/html"}
STATUSES = {
    "MemoryError": ("resource_limit_exceeded", -137),
    "PermissionError": ("unauthorized_access", 1),
    "SyntaxError": ("program_runner_error", -999),
    "IndentationError": ("program_runner_error", -999),
    "TabError": ("program_runner_error", -999)}

_log = logging.getLogger(NAME)


def _artifacts(files: Dict[str, bytes]) -> List[Dict[str, Any]]:
    """The files in artifacts/ that RAGFlow accepts."""
    found: List[Dict[str, Any]] = []
    for path, content in sorted(files.items()):
        folder, _, name = path.rpartition("/")
        media = ARTIFACT_TYPES.get(name.rpartition(".")[2].lower())
        if folder + "/" != ARTIFACTS or name.startswith(".") or \
                media is None or not 0 < len(content) <= ARTIFACT_BYTES:
            continue
        found.append({
            "name": name, "mime_type": media, "size": len(content),
            "content_b64": base64.b64encode(content).decode("ascii")})
    return found[:ARTIFACTS_MOST]


def _verdict(error: ProgramFailed) -> Tuple[str, int]:
    """Status and exit code of a failure."""
    if isinstance(error, ProgramOutOfMemory):
        return STATUSES["MemoryError"]
    return STATUSES.get(error.failure.type,
                        ("program_error", error.exit_code))


def _is_json(value: Any) -> bool:
    """Whether a returned value is JSON; it may hold bytes."""
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def _stderr(result: Result, failure: Failure) -> str:
    """Its standard error, then the reason of the failure; never empty."""
    why = failure.traceback or failure.message or failure.type
    return "\n".join(part for part in (result.stderr.rstrip("\n"), why)
                     if part)


class TerrariumProvider(SandboxProvider):
    """Runs RAGFlow's Python on a Terrarium server.

    Each run has a guest of its own, which is gone afterwards. An instance is
    only a name.
    """

    def __init__(self) -> None:
        self.timeout = TIMEOUT_S
        self._client: Optional[Terrarium] = None

    def initialize(self, config: Dict[str, Any]) -> bool:
        """Take the configuration; see get_config_schema(). Returns whether it
        is valid and the server answers; the log has the reason if not."""
        good, why = self.validate_config(config)
        if not good:
            _log.error("Terrarium's configuration: %s", why)
            return False
        self.timeout = int(config.get("timeout") or TIMEOUT_S)
        self._client = self._connect(config)
        return self.health_check()

    def create_instance(self, template: str = "python") -> SandboxInstance:
        """A new instance. RuntimeError for languages other than Python."""
        self._ready()
        self._check_language(template)
        return SandboxInstance(instance_id=str(uuid.uuid4()), provider=NAME,
                               status="running",
                               metadata={"language": "python"})

    def execute_code(self, instance_id: str, code: str, language: str,
                     timeout: int = 10,
                     arguments: Optional[Dict[str, Any]] = None,
                     ) -> ExecutionResult:
        """Run main(**ARGUMENTS) of CODE. TIMEOUT is in seconds, at most the
        configured one. TimeoutError when that is reached, RuntimeError when
        the code was not run. A failure of the code is a result."""
        client = self._ready()
        self._check_language(language)
        limit = min(timeout or self.timeout, self.timeout)
        begun = time.monotonic()
        try:
            called = client.apply(code, (), arguments or {}, timeout=limit,
                                  files={ARTIFACTS + ".keep": b""})
        except (ProgramTimedOut, ReplyLate) as error:
            raise TimeoutError(
                f"Execution timed out after {limit} seconds") from error
        except ProgramFailed as error:
            status, code_ = _verdict(error)
            return self._failed(instance_id, begun, error.result, status,
                                code_, _stderr(error.result, error.failure))
        except BadReturn as error:
            return self._failed(instance_id, begun, error.result,
                                "program_error", 1, str(error))
        except (NotSendable, TerrariumError) as error:
            raise RuntimeError(f"Terrarium: {error}") from error
        if not _is_json(called.value):
            return self._failed(instance_id, begun, called.result,
                                "program_error", 1,
                                "main() returned bytes, which are not JSON")
        return self._done(instance_id, begun, called.value, called.result)

    def destroy_instance(self, instance_id: str) -> bool:
        """True, because nothing of it is left."""
        self._ready()
        return True

    def health_check(self) -> bool:
        """Whether the server accepts requests."""
        if self._client is None:
            return False
        try:
            return bool(self._client.health())
        except TerrariumError as error:
            _log.warning("Terrarium is not healthy: %s", error)
            return False

    def get_supported_languages(self) -> List[str]:
        """Python only."""
        return ["python"]

    @staticmethod
    def get_config_schema() -> Dict[str, Dict[str, Any]]:
        """The configuration of initialize(), in RAGFlow's form."""
        return {
            "endpoint": {
                "type": "string", "required": True,
                "label": "Terrarium's address",
                "placeholder": "https://sandbox.example:8443"},
            "token": {
                "type": "string", "required": True, "secret": True,
                "label": "Token",
                "description": "The token that terrarium-add-token printed."},
            "ca_file": {
                "type": "string", "required": False,
                "label": "Certificate to trust",
                "description": "A file; empty for the system's."},
            "timeout": {
                "type": "integer", "required": False,
                "label": "Timeout (seconds)", "default": TIMEOUT_S,
                "min": 1, "max": TIMEOUT_MOST_S,
                "description": "The longest timeout of one run; not above the "
                               "server's limits.timeout_ms."},
            "max_retries": {
                "type": "integer", "required": False,
                "label": "Retries of requests that did not run", "default": 3,
                "min": 0, "max": 10},
        }

    def validate_config(self, config: Dict[str, Any],
                        ) -> Tuple[bool, Optional[str]]:
        """Whether the configuration is valid, and if not, why."""
        for name, low, high in (("timeout", 1, TIMEOUT_MOST_S),
                                ("max_retries", 0, 10)):
            value = config.get(name)
            if value is not None and (
                    type(value) is not int or not low <= value <= high):
                return False, f"{name} must be an integer, {low} to {high}"
        try:
            self._connect(config)
        except (ValueError, TypeError, OSError) as error:
            return False, str(error)
        return True, None

    @staticmethod
    def _connect(config: Dict[str, Any]) -> Terrarium:
        retries = config.get("max_retries")
        return Terrarium(config.get("endpoint") or "", config.get("token"),
                         ca_file=config.get("ca_file") or None,
                         retries=3 if retries is None else retries)

    def _ready(self) -> Terrarium:
        if self._client is None:
            raise RuntimeError("Provider not initialized. Call initialize() "
                               "first.")
        return self._client

    @staticmethod
    def _check_language(language: str) -> None:
        if (language or "python").lower() not in LANGUAGES:
            raise RuntimeError(f"Terrarium runs Python only, not {language}")

    def _done(self, instance_id: str, begun: float, value: Any,
              result: Result) -> ExecutionResult:
        return ExecutionResult(
            stdout=result.stdout, stderr=result.stderr, exit_code=0,
            execution_time=time.monotonic() - begun,
            metadata={
                **self._metadata(instance_id, result, "success"),
                "artifacts": _artifacts(result.files),
                "result_present": True, "result_value": value,
                "result_type": "json"})

    def _failed(self, instance_id: str, begun: float, result: Result,
                status: str, exit_code: int, stderr: str) -> ExecutionResult:
        return ExecutionResult(
            stdout="", stderr=stderr, exit_code=exit_code,
            execution_time=time.monotonic() - begun,
            metadata={
                **self._metadata(instance_id, result, status),
                "artifacts": [], "result_present": False,
                "result_value": None, "result_type": None})

    @staticmethod
    def _metadata(instance_id: str, result: Result,
                  status: str) -> Dict[str, Any]:
        return {"status": status, "time_used_ms": result.runtime_ms,
                "memory_used_kb": result.usage.memory_peak_kb,
                "detail": None, "instance_id": instance_id}
