"""installer - pip for packages that are there already.

Many programs begin with subprocess.check_call([sys.executable, "-m", "pip",
"install", "pandas"]), os.system("pip install pandas") or pip.main(). No other
program can be started here. If all that such a command asks for is installed,
it has nothing to do: it says so and succeeds. Otherwise it fails as others do,
with a sentence for each package.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .commands import package_names, package_words, split_words, version_of

import os
import posix
import subprocess
import sys
from typing import Any, Callable, Optional

_PIP = ("pip", "pip3")
_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash")
_execute = subprocess.Popen._execute_child  # type: ignore[attr-defined]
_fsdecode, _getpid = os.fsdecode, os.getpid
_system, _write = os.system, os.write
_WORDS = 100                # of a command
_TEXT = 4000                # characters of an answer; it must fit into a pipe
# Arguments of _execute_child() behind the command.
_PIPES, _OUT = slice(9, 15), 12


def _words_of(command: Any) -> list[str]:
    """The words of a command: a text, or a list of arguments."""
    if not isinstance(command, (list, tuple)):
        return split_words(_fsdecode(command))
    words = [_fsdecode(word) for word in command[:_WORDS]]
    if words[:1] and words[0] in _SHELLS and words[1:2] == ["-c"]:
        return split_words(words[2]) if len(words) > 2 else []
    return words


def asked(command: Any) -> list[str]:
    """The words behind pip, if COMMAND is an installation; else none."""
    try:
        words = _words_of(command)
    except (TypeError, UnicodeError):
        return []
    if any(sign in word for word in words for sign in ";|&"):
        return []  # more than one command
    name = words[0].rpartition("/")[2] if words else ""
    if name.startswith("python") and words[1:3] == ["-m", "pip"]:
        words = words[2:]
    elif name not in _PIP:
        return []
    return words[1:] if words[1:2] == ["install"] else []


def _answer(words: list[str]) -> Optional[str]:
    """The text of pip if all is installed; None if something is missing."""
    names = package_names(words[1:])
    found = [(name, version_of(name)) for name in names]
    if not found or any(version is None for _, version in found) or \
            any(word in ("-r", "--requirement") for word in words):
        return None
    if any(word in ("-q", "-qq", "--quiet") for word in words):
        return ""
    return "".join(f"Requirement already satisfied: {name} {version}".rstrip()
                   + "\n" for name, version in found)[:_TEXT]


def _sentences(words: list[str]) -> list[str]:
    return package_words(" ".join(["pip", *words]))


def _execute_child(self: Any, args: Any, *more: Any) -> None:
    words = asked(args)
    text = _answer(words) if words else None
    if text is not None:
        out = more[_OUT]
        if out == -1:
            print(text, end="")
        elif text:
            _write(out, text.encode())
        self._close_pipe_fds(*more[_PIPES])
        self._child_created, self.pid, self.returncode = True, _getpid(), 0
        return
    try:
        _execute(self, args, *more)
    except OSError as exc:
        if words and isinstance(exc.strerror, str):
            exc.strerror = f"{exc.strerror}. {' '.join(_sentences(words))}"
            exc.args = (exc.errno, exc.strerror, *exc.args[2:])
        raise


def system(command: Any) -> int:
    """Execute the command in a subshell."""
    words = asked(command)
    text = _answer(words) if words else None
    if text is None:
        status = _system(command)
        for sentence in _sentences(words) if words else ():
            print(sentence, file=sys.stderr)
        return status
    print(text, end="")
    return 0


def _main(plain: Callable[..., Any]) -> Callable[..., Any]:
    def main(args: Any = None) -> int:
        """pip's own main()."""
        words = asked(["pip", *(sys.argv[1:] if args is None else args)])
        if not words:
            return plain(args)
        text = _answer(words)
        if text is None:
            print(*_sentences(words), sep="\n", file=sys.stderr)
            return 1
        print(text, end="")
        return 0
    return main


def _change(module: Any) -> None:
    module.main = _main(module.main)


subprocess.Popen._execute_child = _execute_child  # type: ignore
for _module in (os, posix):
    _module.system = system  # type: ignore[attr-defined]
when_imported({"pip": _change, "pip._internal": _change,
               "pip._internal.cli.main": _change})
