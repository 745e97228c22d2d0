"""magics - lines of notebooks: %magic, !command, name?, and their shell.

A program is translated only after the compiler has refused it, because such a
line is never Python. Each line stays where it is, so tracebacks show the right
ones. A magic becomes get_ipython().run_line_magic(name, rest), as in IPython.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .commands import command, package_words
from .display import display
from .job import Now
from .notebook import (HTML, SVG, Javascript, Latex, Markdown, capture_output,
                       set_shell)

import ast
import inspect
import os
import re
import shlex
import sys
import time
import timeit
from typing import Any, Callable, Optional

_compile, _exec, _eval = compile, exec, eval
_environ, _modules = os.environ, sys.modules
_split, _perf, _cpu = shlex.split, time.perf_counter, time.process_time
_lineno_of = SyntaxError.__dict__["lineno"].__get__
_chdir, _cwd, _expand = os.chdir, os.getcwd, os.path.expanduser

_COROUTINE = inspect.CO_COROUTINE
_Drive: list[Callable[[Any], Any]] = []  # program.py's loop

LINES = 500                 # magics in a program
BYTES = 20 << 20            # that are compiled to find them
_TARGET = r"(?:[\w.\[\]'\", ]+?\s*=\s*)?"
_MAGIC = re.compile(rf"(\s*)({_TARGET})%(\w+)\s*(.*)")
_BANG = re.compile(rf"(\s*)({_TARGET})!(!?)\s*(.*)")
_HELP = re.compile(r"(\s*)(?:\?{1,2}\s*([\w.]+)|([\w.]+)\s*\?{1,2})\s*;?\s*")
_FENCE = re.compile(r"\s*```\s*(?:python3?|py|ipython)?\s*")
_GIVEN = re.compile(r"\{([^{}]+)\}|\$(\w+)")


def _translate_line(line: str) -> Optional[str]:
    """A line as Python, or None if it has no meaning here."""
    found = _MAGIC.fullmatch(line)
    if found:
        indent, target, name, rest = found.groups()
        return (f"{indent}{target}get_ipython().run_line_magic({name!r}, "
                f"{rest.strip()!r})")
    found = _BANG.fullmatch(line)
    if found:
        indent, target, caught, rest = found.groups()
        call = "getoutput" if target or caught else "system"
        return f"{indent}{target}get_ipython().{call}({rest.strip()!r})"
    found = _HELP.fullmatch(line)
    if found:
        name = found[2] or found[3]
        return f"{found[1]}get_ipython().run_line_magic('pinfo', {name!r})"
    return "" if _FENCE.fullmatch(line) else None


def _join(lines: list[str], index: int) -> str:
    """A line with those that continue it, which become empty."""
    line = lines[index]
    while line.endswith("\\") and index + 1 < len(lines):
        index += 1
        line = line[:-1] + lines[index].strip()
        lines[index] = ""
    return line


def _translate_cell(lines: list[str], first: int) -> list[str]:
    """A %%magic and all lines below it, as one call in that line."""
    name, _, rest = lines[first].strip()[2:].partition(" ")
    cell = "\n" * (first + 1) + "\n".join(lines[first + 1:])
    return lines[:first] + [f"get_ipython().run_cell_magic({name!r}, "
                            f"{rest.strip()!r}, {cell!r})"]


def _check(text: str, file: str) -> ast.Module:
    return _compile(text, file, "exec", ast.PyCF_ONLY_AST, True)


def translate(text: str, file: str) -> Optional[str]:
    """A program without magics, as far as the lines that the compiler refuses
    are such. None if there is none."""
    lines, changed = text.split("\n"), False
    for index, line in enumerate(lines):
        if line.startswith("%%"):  # the rest need not be Python
            lines, changed = _translate_cell(lines, index), True
        if line.strip() and not line.startswith("#"):
            break
    for _ in range(min(LINES, BYTES // len(text) + 1)):
        try:
            _check("\n".join(lines), file)
            break
        except SyntaxError as exc:
            number = _lineno_of(exc)
        if type(number) is not int or not 0 < number <= len(lines):
            break
        if lines[number - 1].startswith("%%"):
            lines, changed = _translate_cell(lines, number - 1), True
            continue
        line = _translate_line(_join(lines, number - 1))
        if line is None:
            return None if not changed else "\n".join(lines)
        lines[number - 1], changed = line, True
    return "\n".join(lines) if changed else None


def set_drive(drive: Callable[[Any], Any]) -> None:
    """DRIVE runs a coroutine to its end."""
    _Drive[:] = [drive]


def _names() -> dict[str, Any]:
    """The program's names."""
    return vars(_modules["__main__"])


def parse(text: str, file: str) -> ast.Module:
    """The syntax tree of a program that may have magics."""
    try:
        return _check(text, file)
    except SyntaxError:
        plain = translate(text, file)
        if plain is None:
            raise
    return _check(plain, file)


def run_text(text: str, names: Optional[dict[str, Any]] = None) -> Any:
    """Run a cell or a line in the program's names. Returns the value of its
    last expression."""
    names = _names() if names is None else names
    file = Now.job.file
    tree = parse(text, file)
    last = tree.body[-1] if tree.body else None
    if type(last) is ast.Expr:
        tree.body.pop()
    value = _run_tree(tree, file, "exec", names)
    if type(last) is ast.Expr:
        value = _run_tree(ast.Expression(last.value), file, "eval", names)
    return value


def _run_tree(tree: Any, file: str, mode: str, names: dict[str, Any]) -> Any:
    code = _compile(tree, file, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    value = _eval(code, names)
    return _Drive[0](value) if code.co_flags & _COROUTINE else value


def _filled(line: str) -> str:
    """LINE with {expression} and $name replaced by the program's values."""
    def value(found: Any) -> str:
        try:
            return str(_eval(found[1] or found[2], _names()))
        except Exception:
            return found[0]
    return _GIVEN.sub(value, line)


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\u00b5s", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _time(line: str, cell: str = "") -> Any:
    began, used = _perf(), _cpu()
    try:
        return run_text(cell or line)
    finally:
        print(f"CPU times: total: {_duration(_cpu() - used)}")
        print(f"Wall time: {_duration(_perf() - began)}")


class TimeitResult:
    """What %timeit -o returns."""

    def __init__(self, runs: list[float], loops: int) -> None:
        self.timings, self.loops, self.repeat = runs, loops, len(runs)
        self.best, self.worst = min(runs), max(runs)
        self.average = sum(runs) / len(runs)
        self.stdev = (sum((one - self.average) ** 2 for one in runs) /
                      len(runs)) ** 0.5

    def __repr__(self) -> str:
        return (f"{_duration(self.average)} \u00b1 {_duration(self.stdev)} "
                f"per loop (mean \u00b1 std. dev. of {self.repeat} runs, "
                f"{self.loops:,} loops each)")


_TIMEIT_S = 0.05            # seconds that a run takes at least


def _timeit(line: str, cell: str = "") -> Any:
    loops, runs, quiet, wanted = 0, 7, False, False
    while True:
        found = re.match(r"-([nr])\s*(\d+)\s*|-([qoctp])\s*", line)
        if not found:
            break
        line = line[found.end():]
        loops = int(found[2]) if found[1] == "n" else loops
        runs = max(int(found[2]), 1) if found[1] == "r" else runs
        quiet, wanted = quiet or found[3] == "q", wanted or found[3] == "o"
    timer = timeit.Timer(cell or line, line if cell and line else "pass",
                         globals=_names())
    while not loops:
        number = 1
        while timer.timeit(number) < _TIMEIT_S and number < 10 ** 7:
            number *= 10
        loops = number
    result = TimeitResult([once / loops for once in
                           timer.repeat(runs, loops)], loops)
    if not quiet:
        print(result)
    return result if wanted else None


def _capture(line: str, cell: str = "") -> None:
    words = [word for word in line.split() if not word.startswith("-")]
    with capture_output("--no-stdout" not in line,
                        "--no-stderr" not in line) as caught:
        run_text(cell)
    if words:
        _names()[words[0]] = caught


def _write_file(line: str, cell: str = "") -> None:
    words = _split(line)
    mode = "a" if words[:1] in (["-a"], ["--append"]) else "w"
    name = _expand(words[-1])
    existed = os.path.exists(name)
    with open(name, mode, encoding="utf-8") as file:
        file.write(cell.lstrip("\n"))
    print(("Appending to" if mode == "a" else "Overwriting" if existed
           else "Writing"), name)


def _run(line: str) -> None:
    words = [word for word in _split(line) if word not in ("-i", "-n", "-t")]
    name = _expand(words[0])
    name += "" if os.path.exists(name) or name.endswith(".py") else ".py"
    with open(name, encoding="utf-8") as file:
        text = file.read()
    kept, sys.argv = sys.argv, [name, *words[1:]]
    names = _names() if line.startswith("-i") else {
        "__name__": "__main__", "__file__": name}
    try:
        _exec(_compile(parse(text, name), name, "exec", 0, True), names)
    finally:
        sys.argv = kept
    for key, value in names.items():
        if not key.startswith("__"):
            _names()[key] = value


def _cd(line: str) -> None:
    _chdir(_expand(line.strip("'\" ") or "~"))
    print(_cwd())


def _env(line: str) -> Any:
    name, sep, value = line.partition("=" if "=" in line else " ")
    if not name.strip():
        return dict(_environ)
    if not sep:
        return _environ[name.strip()]
    _environ[name.strip()] = value.strip()
    print(f"env: {name.strip()}={value.strip()}")
    return None


def _mine() -> list[str]:
    """The names that the program has made."""
    kinds = (type(sys),)
    return sorted(name for name, value in _names().items()
                  if not name.startswith("_") and name not in ("In", "Out")
                  and not isinstance(value, kinds))


def _who(_line: str) -> None:
    print("\t".join(_mine()) or "Interactive namespace is empty.")


def _whos(line: str) -> None:
    for name in _mine():
        value = _names()[name]
        if line and type(value).__name__ not in line.split():
            continue
        print(f"{name:<15} {type(value).__name__:<15} {repr(value)[:50]}")


def _reset(_line: str) -> None:
    for name in _mine():
        del _names()[name]


def _help(name: str) -> None:
    """name?: the signature and the documentation."""
    try:
        value = _eval(name, _names())
    except Exception:
        print(f"Object `{name}` not found.")
        return
    try:
        print(f"Signature: {name}{inspect.signature(value)}")
    except (TypeError, ValueError):
        print(f"Type: {type(value).__name__}")
    doc = inspect.getdoc(value)
    print(f"Docstring:\n{doc}" if doc else "There is no docstring.")


def _install(line: str) -> None:
    for sentence in package_words(line):
        print(sentence)


def _commands(_line: str, cell: str = "") -> None:
    for line in cell.splitlines():
        if line.strip() and not line.startswith("#"):
            _shell.system(line.strip())


def _apart(_line: str, cell: str = "") -> None:
    """%%python: in names of its own."""
    run_text(cell, {"__name__": "__main__"})


def _nothing(_line: str, cell: str = "") -> Any:
    """For settings of a notebook; a cell below one is run."""
    return run_text(cell) if cell else None


def _shown(cls: Any) -> Callable[..., None]:
    return lambda _line, cell="": display(cls(cell.strip("\n")))


_LINE: dict[str, Callable[..., Any]] = {
    "time": _time, "timeit": _timeit, "run": _run, "cd": _cd,
    "pwd": lambda line: _cwd(), "env": _env, "set_env": _env,
    "who": _who, "whos": _whos, "who_ls": lambda line: _mine(),
    "reset": _reset, "reset_selective": _reset,
    "pinfo": _help, "pinfo2": _help, "pdoc": _help,
    "pip": lambda line: _install("pip " + line),
    "conda": lambda line: _install("conda " + line),
    "mamba": lambda line: _install("conda " + line),
    "uv": lambda line: _install("uv " + line),
    "lsmagic": lambda line: print(" ".join("%" + name for name in
                                           sorted(_LINE))),
}
_LINE.update(dict.fromkeys((
    "matplotlib", "load_ext", "reload_ext", "unload_ext", "autoreload",
    "aimport", "config", "precision", "xmode", "pprint", "automagic",
    "colors", "pdb", "debug", "gui", "autosave", "pylab", "notebook",
    "history", "hist", "logstart", "logstop", "store", "tb", "rehashx",
    "autocall", "autoawait", "doctest_mode", "matplotlib_inline"), _nothing))
_CELL: dict[str, Callable[..., Any]] = {
    "time": _time, "timeit": _timeit, "capture": _capture,
    "writefile": _write_file, "file": _write_file,
    "bash": _commands, "sh": _commands, "shell": _commands,
    "python": _apart, "python3": _apart, "pypy": _apart,
    "html": _shown(HTML), "HTML": _shown(HTML), "svg": _shown(SVG),
    "SVG": _shown(SVG), "markdown": _shown(Markdown),
    "latex": _shown(Latex), "javascript": _shown(Javascript),
    "js": _shown(Javascript), "matplotlib": _nothing, "prun": _nothing,
    "memit": _nothing, "mprun": _nothing, "lprun": _nothing,
    "wrapper": _nothing,
}
_COMMANDS = ("ls", "cat", "mkdir", "rmdir", "rm", "cp", "mv", "head", "tail")


def _unknown(name: str) -> None:
    print(f"{name} was skipped: this magic does not exist here.",
          file=sys.stderr)


class _Events:
    """Takes callbacks, which no event calls."""

    def register(self, _event: str, _function: Any) -> None:
        pass

    unregister = register


class InteractiveShell:
    """The object that get_ipython() returns."""
    ast_node_interactivity = "last_expr"
    execution_count = 1
    kernel = None

    def __init__(self) -> None:
        self.config: dict[str, Any] = {}
        self.events = _Events()
        self.own: dict[tuple[str, str], Any] = {}  # of the program's making

    @classmethod
    def instance(cls, *_args: Any, **_options: Any) -> Any:
        return _shell

    @classmethod
    def initialized(cls) -> bool:
        return True

    @property
    def user_ns(self) -> dict[str, Any]:
        return _names()

    user_global_ns = user_ns

    def run_line_magic(self, name: str, line: str = "", *_args: Any) -> Any:
        line = _filled(line) if name not in ("time", "timeit") else line
        own = self.own.get(("line", name))
        if own:
            return own(line)
        if name in _COMMANDS:
            return self.system(f"{name} {line}")
        if name in _LINE:
            return _LINE[name](line.rstrip("; ") if name not in
                               ("time", "timeit") else line)
        return _unknown("%" + name)

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        own = self.own.get(("cell", name))
        if own:
            return own(line, cell.lstrip("\n"))
        if name in _CELL:
            return _CELL[name](line, cell)
        return _unknown("%%" + name)

    def magic(self, line: str) -> Any:
        name, _, rest = line.lstrip("%").partition(" ")
        return self.run_line_magic(name, rest.strip())

    line_magic = magic

    def system(self, line: str) -> None:
        for text in command(_filled(line)):
            print(text)

    system_raw = system_piped = system

    def getoutput(self, line: str, *_args: Any, **_options: Any) -> list[str]:
        return command(_filled(line))

    def run_cell(self, text: str, *_args: Any, **_options: Any) -> Any:
        return run_text(text)

    def ev(self, text: str) -> Any:
        return _eval(text, _names())

    def ex(self, text: str) -> None:
        _exec(text, _names())

    def push(self, names: dict[str, Any], *_args: Any) -> None:
        _names().update(names)

    def register_magic_function(self, function: Any, magic_kind: str = "line",
                                magic_name: Optional[str] = None) -> None:
        name = magic_name or function.__name__
        for kind in ("line", "cell"):
            if kind in magic_kind:
                self.own[kind, name] = function

    def register_magics(self, *_magics: Any) -> None:
        pass

    def enable_gui(self, *_args: Any) -> None:
        pass

    enable_matplotlib = enable_pylab = set_next_input = enable_gui
    showtraceback = enable_gui


for _cls in (InteractiveShell, TimeitResult):
    _cls.__module__ = "IPython.core.interactiveshell"
_shell = InteractiveShell()
set_shell(_shell)
