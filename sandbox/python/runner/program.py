"""program - the user's code: its text, environment, steps and value."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import apart  # C's: hides the runner's frames from the program
from .channels import STARTED, send
from .deadline import Clock, Timeout, timeout
from .display import display
from .errors import know_source
from .job import (BOUND, COMPILE, FILE, MODULE, OPTIMIZE, PARSE, RUN, SCRIPT,
                  VALUE_ALWAYS, Job)
from .magics import set_drive, translate
from .newer_statements import complete
from .newer_syntax import older
from .own import dict_of, mro_of
from .snippet import check_snippet
from .values import PLAIN

import ast
import asyncio
import builtins
import json
import os
import runpy
import sys
import textwrap
import time
import traceback
import types
import warnings
from typing import (Any, Callable, Coroutine, Generator, Iterable, Optional,
                    Sequence)

# Set it now, because a new name among the builtins invalidates the
# interpreter's caches for all others.
builtins.display = display

_AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_all_tasks, _gather = asyncio.all_tasks, asyncio.gather
_new_loop = asyncio.new_event_loop
_builtins = vars(builtins)
_compile, _eval = compile, eval
_cwd, _environ = os.getcwd, os.environ
_get_digits = getattr(sys, "get_int_max_str_digits", lambda: 0)
_set_digits = getattr(sys, "set_int_max_str_digits", lambda limit: None)
_loads = json.loads
_modules = sys.modules
_Module, _Coroutine = types.ModuleType, types.CoroutineType
_Future = asyncio.Future
_run_module: Callable[[str], None] = getattr(runpy, "_run_module_as_main")
_set_warnings: Callable[[list[str]], None] = getattr(
    warnings, "_processoptions")


def _text_of(code: Optional[bytes]) -> str:
    """Source text with the newlines that the compiler sees. It is dedented if
    its first line is indented, and only then, because dedenting changes
    strings, too."""
    text = (code or b"").decode("utf-8")  # C passes None for no bytes
    if text[:1] == "\ufeff":
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for line in text.split("\n", 100):
        if line.strip():
            if line[0] in " \t":
                text = textwrap.dedent(text)
            break
    return text


def _is_suppressed(lines: list[str], node: ast.stmt) -> bool:
    """Whether a semicolon ends the last statement. Only a comment, blanks,
    continued lines and that semicolon can follow it."""
    line = lines[node.end_lineno - 1].encode()
    rest = line[node.end_col_offset:].decode().strip(" \t\f")
    for line in lines[node.end_lineno:]:
        if rest != "\\":
            break
        rest = line.strip(" \t\f")
    return rest[:1] == ";"


def _parse(job: Job, text: str) -> ast.Module:
    """The syntax tree. A run may have lines of notebooks and of newer Pythons,
    which are looked for only in a program that the compiler refuses."""
    try:
        return _compile(text, job.file, "exec", ast.PyCF_ONLY_AST, True)
    except SyntaxError:
        plain, parameters = (text, {}) if job.task == PARSE else older(text)
        if job.task == RUN and not job.habits & SCRIPT:
            plain = translate(plain, job.file) or plain
        if plain == text:
            raise
    job.translated = plain.split("\n")
    tree = _compile(plain, job.file, "exec", ast.PyCF_ONLY_AST, True)
    complete(tree, parameters)
    return tree


def _compile_all(job: Job, tree: ast.Module) -> list[types.CodeType]:
    """The code objects of the body and of the final expression, if its value
    is used."""
    last = tree.body[-1] if tree.body else None
    level = 1 if job.habits & OPTIMIZE else -1
    wanted = (type(last) is ast.Expr and not job.habits & SCRIPT and
              (job.habits & VALUE_ALWAYS != 0 or
               not _is_suppressed(job.translated or job.lines, last)))
    if wanted:
        tree.body.pop()
    codes = []
    if tree.body or not wanted:
        codes.append(_compile(tree, job.file, "exec", _AWAITS, True, level))
    if wanted:
        tree = ast.Expression(last.value)
        codes.append(_compile(tree, job.file, "eval", _AWAITS, True))
    return codes


# Names that programs may use without an import, where the fork server has
# imported the module.
_SHORT_NAMES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}
_bound: dict[str, Any] = {}


def bind_names() -> None:
    """Note the modules of _SHORT_NAMES that are there. In the fork server."""
    _bound.update((name, _modules[module])
                  for name, module in _SHORT_NAMES.items()
                  if module in _modules)


def fresh_main(file: str = FILE, name: str = "__main__") -> dict[str, Any]:
    """A new module NAME for the program, in sys.modules. It is __main__ there,
    too, for libraries that look for the program's names."""
    main = _Module(name)
    vars(main).update(_bound, __builtins__=builtins, __file__=file)
    _modules["__main__"] = _modules[name] = main
    return vars(main)


def _set_world(argv: list[str], env: Iterable[str]) -> None:
    """Set the program's environment, arguments and path."""
    for assignment in env:
        name, _, value = assignment.partition("=")
        _environ[name] = value
        if name == "TZ":
            time.tzset()
        elif name == "PYTHONWARNINGS":
            _set_warnings(value.split(","))
    if _builtins.get("display") is not display:  # a call has replaced it
        builtins.display = display
    sys.argv = argv
    try:
        home = _cwd()
    except OSError:  # an earlier call of the session removed it
        return
    if sys.path[:1] != [home]:
        sys.path.insert(0, home)


def _read_arguments(arguments: bytes) -> dict[str, Any]:
    """The keyword arguments of main(), with integers of any size exact."""
    digits = _get_digits()
    _set_digits(0)
    try:
        found = _loads(arguments)
    finally:
        _set_digits(digits)
    if type(found) is not dict:
        raise TypeError("arguments must be a JSON object")
    return found


def _main_step(names: dict[str, Any], arguments: dict[str, Any]) -> Callable[
        [], Any]:
    """A function that calls the program's main()."""
    def call() -> Any:
        main = names.get("main")
        if main is None:
            raise NameError("name 'main' is not defined: a run with "
                            "arguments calls main(**arguments)")
        return apart(main, **arguments)
    return call


def _is_awaitable(value: Any) -> bool:
    if type(value) is _Coroutine:
        return True
    return any("__await__" in dict_of(base)
               for base in mro_of(type(value)))


def _can_wait_for(value: Any) -> bool:
    """Whether VALUE is awaitable in a loop that is still to be made. A future
    belongs to its own loop, and only its result can be taken elsewhere."""
    if not _is_awaitable(value):
        return False
    return _Future not in mro_of(type(value)) or value.done()


def run_program(job: Job, code: Optional[bytes], arguments: bytes,
                env: Iterable[str]) -> Any:
    """Run the program as far as the job's task asks. Returns the final value.
    The program's exceptions propagate. See run.run() for the rest."""
    _set_world(job.argv, env)
    names = job.names
    if names is None:
        names = fresh_main(job.file, "main" if job.imported else "__main__")
    if job.habits & BOUND:
        names.update(os=os, sys=sys, traceback=traceback)
    if job.habits & MODULE:
        send(STARTED, b"")
        return apart(_run_module, job.file)
    text = _text_of(code)
    know_source(job, text)
    given = _read_arguments(arguments) if job.call_main else {}
    tree = _parse(job, text)
    if job.task == PARSE:
        return check_snippet(tree, _loads(arguments or "[]"))
    # A step is a call, and whether its result is awaited.
    steps = [((lambda code=code: apart(_eval, code, names)),
              code.co_flags & 0x80)
             for code in _compile_all(job, tree)]
    if job.task == COMPILE:
        return None
    send(STARTED, b"")
    if any(awaits for _, awaits in steps):
        if job.call_main:
            steps.append((_main_step(names, given), True))
        return _drive(_take_steps(None, steps))
    for step, _ in steps:
        value = step()
    if job.call_main:
        value = _main_step(names, given)()
    if type(value) not in PLAIN and _can_wait_for(value):
        return _drive(_take_steps(value, []))
    return value


@types.coroutine
def _step_apart(coroutine: Coroutine[Any, Any, Any]) -> Generator[
        Any, Any, Any]:
    """Await a coroutine of the program's, which finds no frame of the runner
    behind its own."""
    step, given = coroutine.send, None
    while True:
        try:
            asked = apart(step, given)
        except StopIteration as stop:
            return stop.value
        try:
            step, given = coroutine.send, (yield asked)
        except BaseException as exc:
            step, given = coroutine.throw, exc


def _wait_apart(value: Any) -> Any:
    return _step_apart(value) if type(value) is _Coroutine else value


async def _take_steps(value: Any, steps: Sequence[tuple[
        Callable[[], Any], Any]]) -> Any:
    """Run the steps in one task. An awaitable VALUE precedes them."""
    if value is not None:
        value = await _wait_apart(value)
    for step, awaits in steps:
        value = step()
        if awaits and _is_awaitable(value):
            value = await _wait_apart(value)
    return value


async def _boxed(coroutine: Coroutine[Any, Any, Any],
                 box: list[tuple[Any, Any]]) -> None:
    """Await, and put (value, exception) into BOX. A result that passes through
    the loop itself would carry the loop's frames."""
    try:
        box.append((await coroutine, None))
    except BaseException as exc:
        box.append((None, exc))


def _drive(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a loop of its own, then end its other tasks."""
    box: list[tuple[Any, Any]] = []
    loop = _new_loop()
    task = loop.create_task(_boxed(coroutine, box))
    try:
        apart(loop.run_until_complete, task)
    except Timeout:
        if not box:
            _interrupt(task)
        if not box:
            raise
    if not Clock.expired:
        _end_loop(loop)
    value, exc = box[0]
    if exc is not None:
        raise exc
    return value


set_drive(_drive)


def _interrupt(task: Any) -> None:
    """Raise where the program awaits, for a traceback that shows the place."""
    try:
        task.get_coro().throw(timeout())
    except (StopIteration, ValueError, RuntimeError):
        pass  # done, or running


def _end_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel the remaining tasks, shut down generators and threads."""
    left = _all_tasks(loop)
    for task in left:
        task.cancel()

    async def finish() -> None:
        await _gather(*left, return_exceptions=True)
        await loop.shutdown_asyncgens()
        await loop.shutdown_default_executor()

    loop.run_until_complete(finish())
    loop.close()
