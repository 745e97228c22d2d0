"""Jobs of the tests, each in a process of its own, and their outcomes."""

import ast
import json
import os
import subprocess
import sys

import interpreter
from interpreter import DEFAULTS, PYTHON

# A program that breaks what the runner could depend on.
BREAKAGE = """
import builtins, json, traceback, sys, os, io, linecache, threading, types
import textwrap, re, ast, base64, warnings, signal, gc, asyncio, atexit
def bad(*a, _error=SystemError, **k): raise _error('patched')
for module in (json, traceback, linecache, textwrap, re, base64, warnings,
               gc, asyncio, ast, json.encoder):
    for name in dir(module):
        if callable(getattr(module, name)):
            setattr(module, name, bad)
sys.excepthook = sys.unraisablehook = sys.displayhook = bad
threading.excepthook = threading._shutdown = atexit._run_exitfuncs = bad
os.write = os.getcwd = signal.setitimer = bad
io.TextIOWrapper = io.BytesIO = bad
"""


class Outcome:
    """The results of one job: out, err, value (parsed), value_text, displays,
    error (type, message) or None, dropped, ended, exit_code, started, and
    the refused call."""

    def __init__(self, answer):
        self.out = answer["out"].encode("latin-1")
        self.err = answer["err"].encode("latin-1")
        self.status, self.seconds = answer["status"], answer["seconds"]
        self.asked = answer["asked"]
        self.value = self.value_text = self.error = self.peeked = None
        self.displays, self.dropped, self.ended = [], 0, False
        self.warnings = []
        self.kinds = []
        self.started, self.refused, self.exit_code = False, None, None
        for frame in answer["frames"].splitlines():
            kind, payload = frame.split(" ", 1)
            try:
                payload = ast.literal_eval(payload)
            except SyntaxError:  # a signal cut print() short, see emit
                continue
            self.take(int(kind), payload)

    def take(self, kind, payload):
        if kind in (1, 2, 3, 4):
            self.kinds.append(kind)
        if kind == 1:
            self.displays.append(strict_json(payload.decode("ascii")))
        elif kind == 2:
            self.value_text = payload.decode("ascii")
            self.value = strict_json(self.value_text)
        elif kind == 3:
            assert self.error is None, "two ERROR frames"
            name, _, message = payload.decode("utf-8").partition("\0")
            self.error = (name, message)
        elif kind == 4:
            self.dropped = int(payload)
        elif kind == 7:
            self.started = True
        elif kind == 9:
            self.warnings.append(payload.decode())
        elif kind == 8:
            self.refused = payload.decode()
        elif kind == 98:
            self.ended, self.exit_code = True, int(payload)
        elif kind == 99:
            self.peeked = payload.decode()


def strict_json(text):
    """Parsed, with NaN, infinities and duplicate keys refused."""
    def constant(name):
        raise ValueError(name)

    def pairs(found):
        assert len(dict(found)) == len(found), "duplicate key"
        return dict(found)

    sys.set_int_max_str_digits(0)
    return json.loads(text, parse_constant=constant, object_pairs_hook=pairs)


class Interpreter:
    """Runs jobs in guests of its own process."""

    def __init__(self, words):
        env = dict(os.environ, OPENBLAS_NUM_THREADS="1",
                   NUMEXPR_NUM_THREADS="1",
                   PYTHONDONTWRITEBYTECODE="1")
        self.process = subprocess.Popen(
            [PYTHON, interpreter.__file__, words], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.facts = json.loads(self.process.stdout.readline())

    def __call__(self, code, arguments=None, env=(), stdin="", timeout=5.0,
                 cwd=None, peek=None, **options):
        text = arguments if isinstance(arguments, str) else \
            json.dumps(arguments)
        options = {**DEFAULTS, "call_main": arguments is not None, **options}
        job = {"code": code, "arguments": text, "env": list(env), "stdin": stdin,
               "timeout": timeout, "cwd": cwd, "peek": peek,
               "options": options}
        print(json.dumps(job), file=self.process.stdin, flush=True)
        outcome = Outcome(json.loads(self.process.stdout.readline()))
        return outcome

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)


def good(outcome):
    assert outcome.error is None, outcome.error[1]
    assert outcome.ended
    return outcome
