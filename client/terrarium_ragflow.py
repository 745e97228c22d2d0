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

from terrarium import (BadReply, ReplyLate, Terrarium, TerrariumError,
                       _Deadline)

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
TIMEOUT_S = 25          # the server's own default
TIMEOUT_MOST_S = 3600
RETRIES = 3
BUSY = (-10, -429)     # exit codes: the pool is full; the client asks too often
NOT_RUN = (-3, *BUSY)   # and the server failed, or refused (below -400)
PAUSE_S = 1.0           # before another try, as the server's Retry-After

_log = logging.getLogger(NAME)


def _body(code: str, arguments: Optional[Dict[str, Any]]) -> bytes:
    """A request of POST /run. RuntimeError if ARGUMENTS are not JSON."""
    fields = {"code_b64": base64.b64encode(code.encode()).decode("ascii"),
              "language": "python", "arguments": arguments or {}}
    try:
        return json.dumps(fields, allow_nan=False).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise RuntimeError(f"Terrarium: arguments: {error}") from error


def _check(reply: Dict[str, Any]) -> Dict[str, Any]:
    """REPLY, if it has the members that are read."""
    for name, kind in (("status", str), ("stdout", str), ("stderr", str),
                       ("exit_code", int), ("artifacts", list)):
        if not isinstance(reply.get(name), kind):
            raise BadReply(f"The answer has no right {name!r}")
    if not isinstance(reply.get("result"), (dict, type(None))):
        raise BadReply("The answer has no right 'result'")
    return reply


class TerrariumProvider(SandboxProvider):
    """Runs RAGFlow's Python on a Terrarium server.

    Each run has a guest of its own, which is gone afterwards. An instance is
    only a name.
    """

    def __init__(self) -> None:
        self.timeout = TIMEOUT_S
        self._retries = RETRIES
        self._client: Optional[Terrarium] = None

    def initialize(self, config: Dict[str, Any]) -> bool:
        """Take the configuration; see get_config_schema(). Returns whether it
        is valid and the server answers; the log has the reason if not."""
        good, why = self.validate_config(config)
        if not good:
            _log.error("Terrarium's configuration: %s", why)
            return False
        self.timeout = int(config.get("timeout") or TIMEOUT_S)
        retries = config.get("max_retries")
        self._retries = RETRIES if retries is None else retries
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
        self._ready()
        self._check_language(language)
        limit = min(timeout or self.timeout, self.timeout)
        begun = time.monotonic()
        late = f"Execution timed out after {limit} seconds"
        try:
            reply = self._run(_body(code, arguments), begun + limit)
        except ReplyLate as error:
            raise TimeoutError(late) from error
        except TerrariumError as error:
            raise RuntimeError(f"Terrarium: {error}") from error
        if reply.get("resource_limit_type") == "time":
            raise TimeoutError(late)
        if reply["exit_code"] in NOT_RUN or -600 < reply["exit_code"] <= -400:
            raise RuntimeError(f"Terrarium: {reply['stderr']}")
        return self._result(instance_id, begun, reply)

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
                "label": "Retries of requests that did not run",
                "default": RETRIES,
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
                         retries=RETRIES if retries is None else retries)

    def _ready(self) -> Terrarium:
        if self._client is None:
            raise RuntimeError("Provider not initialized. Call initialize() "
                               "first.")
        return self._client

    @staticmethod
    def _check_language(language: str) -> None:
        if (language or "python").lower() not in LANGUAGES:
            raise RuntimeError(f"Terrarium runs Python only, not {language}")

    def _run(self, body: bytes, end: float) -> Dict[str, Any]:
        """The answer of POST /run, by END of the monotonic clock. A busy
        server is asked again. The run ends when it is late, because the
        connection is closed."""
        client = self._ready()
        for left in range(self._retries, -1, -1):
            room = end - time.monotonic()
            if room <= 0:
                break
            reply = _check(client._whole_answer(client._open(
                "/run", body, _Deadline(room))))
            if left == 0 or reply["exit_code"] not in BUSY or \
                    end - time.monotonic() <= PAUSE_S:
                return reply
            time.sleep(PAUSE_S)
        raise ReplyLate("The server was busy")

    @staticmethod
    def _result(instance_id: str, begun: float,
                reply: Dict[str, Any]) -> ExecutionResult:
        value = reply["result"] or {}
        return ExecutionResult(
            stdout=reply["stdout"], stderr=reply["stderr"],
            exit_code=reply["exit_code"],
            execution_time=time.monotonic() - begun,
            metadata={
                "instance_id": instance_id,
                **{name: reply.get(name) for name in
                   ("status", "time_used_ms", "memory_used_kb", "detail",
                    "artifacts")},
                "result_present": bool(value.get("present")),
                "result_value": value.get("value"),
                "result_type": value.get("type")})
