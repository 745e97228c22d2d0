"""The two places where the same program runs: a guest of the server that the
TERRARIUM_* variables name, and a plain interpreter beside it."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from typing import Any, Optional

PLAIN_PYTHON = "/usr/bin/python3"

NOBODY = 65534


class Trouble(Exception):
    """The program did not come to its value; says why, in words."""


def variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        sys.exit(f"tests/suites/run: {name} is not set: run it by "
                 "tests/with-server, or read the env file of a server")
    return value


def inside(code: str, seconds: float,
           arguments: Optional[dict[str, Any]] = None) -> dict[str, Any]:
    """Run CODE in a guest and return the whole answer. A server that does
    not answer with 200 is Trouble."""
    body: dict[str, Any] = {"code": code, "timeout_ms": int(seconds * 1000)}
    if arguments is not None:
        body["arguments"] = arguments
    request = urllib.request.Request(
        variable("TERRARIUM_URL") + "/", data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {variable('TERRARIUM_TOKEN')}"})
    context = ssl.create_default_context(
        cafile=os.environ.get("TERRARIUM_CACERT"))
    try:
        with urllib.request.urlopen(request, timeout=seconds + 30,
                                    context=context) as reply:
            answer: dict[str, Any] = json.load(reply)
    except urllib.error.HTTPError as error:
        raise Trouble(f"HTTP {error.code}: {error.read()[:500]!r}") from None
    except (OSError, ValueError) as error:
        raise Trouble(f"no answer: {error}") from None
    return answer


def inside_value(code: str, seconds: float,
                 arguments: Optional[dict[str, Any]] = None) -> Any:
    answer = inside(code, seconds, arguments)
    if not answer.get("success"):
        error = answer.get("error") or {}
        raise Trouble(f"{error.get('type')}: {error.get('message')}")
    return answer.get("final_expression")


def plain(code: str, seconds: float,
          arguments: dict[str, Any]) -> dict[str, Any]:
    """The same in a plain interpreter, in a home of its own, as an ordinary
    user. The answer has success, std_out and error, as inside()'s has."""
    code += f"\nmain(**__import__('json').loads({json.dumps(arguments)!r}))"
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        os.mkdir(home)
        env = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
               "LC_ALL": "C.UTF-8", "TZ": "UTC", "MPLBACKEND": "Agg",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
               "JOBLIB_MULTIPROCESSING": "0", "PYTHONPATH": home,
               "PYTHONDONTWRITEBYTECODE": "1"}
        become: dict[str, Any] = {}
        if os.geteuid() == 0:
            become = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chmod(folder, 0o755)
            os.chown(home, NOBODY, NOBODY)
        try:
            done = subprocess.run(
                [PLAIN_PYTHON, "-"], input=code, cwd=home, env=env,
                text=True, errors="replace", timeout=seconds,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **become)
        except subprocess.TimeoutExpired as late:
            return {"success": False, "std_out": text_of(late.stdout),
                    "error": {"type": "timeout", "message": ""}}
        return {"success": done.returncode == 0, "std_out": done.stdout,
                "error": {"type": f"exited with {done.returncode}",
                          "message": done.stderr[-2000:]}}


def text_of(output: Any) -> str:
    if isinstance(output, bytes):
        return output.decode("utf-8", "replace")
    return output or ""
