"""The two places where the same program runs: a guest of the server that the
TERRARIUM_* variables name, and a plain interpreter beside it."""

from __future__ import annotations

import ast
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

# Run a program as a guest would: its last expression is its value.
PLAIN = """
import ast, json, sys
tree = ast.parse(sys.stdin.read())
last = tree.body.pop().value
names = {"__name__": "__main__"}
sys.modules["__main__"].__dict__.update(names)
names = sys.modules["__main__"].__dict__
exec(compile(tree, "<exec>", "exec"), names)
value = eval(compile(ast.Expression(last), "<exec>", "eval"), names)
sys.stdout.flush()
with open(sys.argv[1], "w") as file:
    json.dump(value, file)
"""


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


def plain_value(code: str, seconds: float,
                arguments: Optional[dict[str, Any]] = None) -> Any:
    """The same in a plain interpreter, in a directory of its own."""
    if arguments is not None:
        code += f"\nmain(**__import__('json').loads({json.dumps(arguments)!r}))"
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "user")
        os.mkdir(home)
        env = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
               "LC_ALL": "C.UTF-8", "TZ": "UTC", "MPLBACKEND": "Agg",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
               "JOBLIB_MULTIPROCESSING": "0",
               "XDG_CACHE_HOME": os.path.join(folder, "cache"),
               "PYTHONDONTWRITEBYTECODE": "1",
               "PYTHONPATH": home}
        result = os.path.join(folder, "result")
        try:
            done = subprocess.run(
                [PLAIN_PYTHON, "-c", PLAIN, result], input=code, cwd=home,
                env=env, text=True, errors="replace", timeout=seconds,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            raise Trouble(f"timeout after {seconds:.0f} s") from None
        try:
            with open(result, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            raise Trouble(f"exited with {done.returncode}: "
                          f"{done.stdout[-2000:]}") from None


def last_is_expression(code: str) -> bool:
    body = ast.parse(code).body
    return bool(body) and isinstance(body[-1], ast.Expr)
