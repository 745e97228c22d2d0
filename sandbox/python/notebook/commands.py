"""commands - the shell lines of notebooks that need no other program.

Programs cannot be started here. A few commands that only handle files are done
in Python, and pip says what is installed. For all others a sentence is printed.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .missing import installed, words_for

import glob
import importlib
import os
import re
import shlex
import shutil
import sys
from typing import Any, Callable, Optional

_cwd, _expand, _glob = os.getcwd, os.path.expanduser, glob.glob
_import, _split = importlib.import_module, shlex.split
_bare_name = re.compile(r"^[A-Za-z0-9._-]+").match

PACKAGES = 50               # of one line
# Modules of packages that pip calls otherwise, and that Debian's metadata
# does not name.
_MODULE_OF = {
    "opencv-python": "cv2", "opencv-python-headless": "cv2",
    "opencv-contrib-python": "cv2", "scikit-image": "skimage",
    "scikit-learn": "sklearn", "python-dateutil": "dateutil",
    "python-docx": "docx", "python-pptx": "pptx", "pyyaml": "yaml",
    "pillow": "PIL", "beautifulsoup4": "bs4", "pymupdf": "fitz",
    "python-levenshtein": "Levenshtein", "pdfminer-six": "pdfminer",
    "fpdf2": "fpdf", "z3-solver": "z3", "tables": "tables",
    "netcdf4": "netCDF4",
}
_WITH_VALUE = frozenset(["-r", "-c", "-i", "-f", "-t", "--requirement",
                         "--constraint", "--index-url", "--extra-index-url",
                         "--find-links", "--target", "--channel"])


def _version_of(name: str) -> str:
    """The version of an installed package, "" if there is none."""
    metadata = _import("importlib.metadata")
    try:
        return metadata.version(name)
    except Exception:
        return ""


def _module(name: str) -> str:
    """The module of a package, as far as that can be told."""
    low = name.lower().replace("_", "-").replace(".", "-")
    return _MODULE_OF.get(low, name.replace("-", "_").split(".")[0])


def version_of(name: str) -> Optional[str]:
    """The version of a package, "" if it is not known, None if the package is
    not installed."""
    version = _version_of(name)
    there = version or installed(_module(name)) or \
        installed(_module(name).lower())
    return version if there else None


def _words_of(name: str) -> str:
    """Whether a package is installed."""
    version = version_of(name)
    if version is not None:
        return f"{name} {version} is installed here.".replace("  ", " ")
    words = words_for(_module(name)).partition(" If it is a file of your")[0]
    return words.replace(_module(name), name, 1)


def _all_packages() -> list[str]:
    """`pip list`: names and versions."""
    found = {dist.metadata["Name"]: dist.version for dist in
             _import("importlib.metadata").distributions()}
    return [f"{name:<30} {found[name]}" for name in
            sorted(filter(None, found), key=str.lower)]


def package_words(line: str) -> list[str]:
    """A sentence for each package that a line of pip or conda names."""
    words = split_words(line)[1:]
    if words[:1] == ["pip"]:  # uv pip install
        words = words[1:]
    if words[:1] in (["list"], ["freeze"]):
        return _all_packages()
    names = package_names(words[1:])
    if words[:1] not in (["install"], ["add"], ["show"]) or not names:
        return ["Packages cannot be changed here; `pip list` shows them."]
    return [_words_of(name) for name in names[:PACKAGES]]


def package_names(words: list[str]) -> list[str]:
    names, skip = [], False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and word in _WITH_VALUE
            continue
        found = _bare_name(word)
        if found:
            names.append(found[0])
    return names


def split_words(line: str) -> list[str]:
    try:
        return _split(line)
    except ValueError:  # a quotation mark without its pair
        return line.split()


def _files(words: list[str]) -> list[str]:
    """The paths among the words, with patterns filled in."""
    found: list[str] = []
    for word in words:
        if not word.startswith("-"):
            word = _expand(word)
            found += sorted(_glob(word)) or [word]
    return found


def _list(words: list[str]) -> list[str]:
    flags = "".join(word for word in words if word.startswith("-"))
    lines: list[str] = []
    for path in _files(words) or ["."]:
        names = [path]
        if os.path.isdir(path) and "d" not in flags:
            names = [os.path.join(path, name) if path != "." else name
                     for name in sorted(os.listdir(path))
                     if "a" in flags or not name.startswith(".")]
        for name in names:
            info = os.stat(name)
            shown = os.path.basename(name) if os.path.isdir(path) else name
            lines.append(f"{info.st_size:>10} {shown}" if "l" in flags
                         else shown)
    return lines


def _text(words: list[str]) -> list[str]:
    lines: list[str] = []
    for path in _files(words):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines += file.read().splitlines()
    return lines


def _part(words: list[str]) -> tuple[int, list[str]]:
    """The number of `head -n 5 FILE` or `head -5 FILE`, and the rest."""
    count, rest = 10, []
    for word in words:
        if word.lstrip("-").isdigit():
            count = abs(int(word))
        elif word != "-n":
            rest.append(word)
    return count, rest


def _head(words: list[str]) -> list[str]:
    count, rest = _part(words)
    return _text(rest)[:count]


def _tail(words: list[str]) -> list[str]:
    count, rest = _part(words)
    return _text(rest)[-count:]


def _count(words: list[str]) -> list[str]:
    return [f"{len(_text([path]))} {path}" if "-l" in words else
            f"{len(_text([path]))} {sum(len(x.split()) for x in _text([path]))}"
            f" {os.path.getsize(path)} {path}" for path in _files(words)]


def _echo(words: list[str]) -> list[str]:
    return [" ".join(word for word in words if word not in ("-e", "-n"))]


def _make(words: list[str]) -> list[str]:
    for path in _files(words):
        os.makedirs(path, exist_ok="-p" in words)
    return []


def _touch(words: list[str]) -> list[str]:
    for path in _files(words):
        with open(path, "ab"):
            pass
    return []


def _remove(words: list[str]) -> list[str]:
    flags = "".join(word for word in words if word.startswith("-"))
    for path in _files(words):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path) if "r" in flags else os.rmdir(path)
        elif "f" not in flags or os.path.lexists(path):
            os.remove(path)
    return []


def _copy(words: list[str]) -> list[str]:
    *sources, target = _files(words)
    for path in sources:
        if os.path.isdir(path):
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copy2(path, target)
    return []


def _move(words: list[str]) -> list[str]:
    *sources, target = _files(words)
    for path in sources:
        shutil.move(path, target)
    return []


def _unpack(words: list[str]) -> list[str]:
    folder = words[words.index("-d") + 1] if "-d" in words else "."
    for path in _files([word for word in words if word != folder])[:1]:
        shutil.unpack_archive(path, folder, "zip")
    return []


def _change(words: list[str]) -> list[str]:
    os.chdir(_expand(words[0] if words else "~"))
    return []


def _python(words: list[str]) -> list[str]:
    if words[:1] in (["--version"], ["-V"]):
        return ["Python " + sys.version.split()[0]]
    if words[:2] == ["-m", "pip"]:
        return package_words(" ".join(words[1:]))
    if not words or words[0].startswith("-"):
        raise NotImplementedError
    kept, sys.argv = sys.argv, words
    try:
        _import("runpy").run_path(words[0], run_name="__main__")
    finally:
        sys.argv = kept
    return []


_COMMANDS: dict[str, Callable[[list[str]], list[str]]] = {
    "ls": _list, "dir": _list, "pwd": lambda words: [_cwd()],
    "cat": _text, "head": _head, "tail": _tail, "wc": _count,
    "echo": _echo, "mkdir": _make, "touch": _touch, "rm": _remove,
    "rmdir": _remove, "cp": _copy, "mv": _move, "unzip": _unpack,
    "cd": _change, "python": _python, "python3": _python,
    "true": lambda words: [],
}
_INSTALLERS = frozenset(["pip", "pip3", "conda", "mamba", "uv"])


def _redirected(words: list[str]) -> tuple[list[str], Any]:
    """The words before `> FILE` or `>> FILE`, and (FILE, mode)."""
    for sign, mode in ((">", "w"), (">>", "a")):
        if sign in words[:-1]:
            place = words.index(sign)
            return words[:place], (words[place + 1], mode)
    return words, None


def _filtered(words: list[str], lines: list[str]) -> list[str]:
    """The lines that a command behind a pipe lets through."""
    name, rest = words[0], words[1:]
    flags = "".join(word for word in rest if word.startswith("-"))
    if name in ("head", "tail"):
        count, _ = _part(rest)
        return lines[:count] if name == "head" else lines[-count:]
    if name == "sort":
        return sorted(set(lines) if "u" in flags else lines,
                      reverse="r" in flags)
    if name == "wc":
        return [str(len(lines))]
    if name != "grep":
        raise NotImplementedError
    pattern = [word for word in rest if not word.startswith("-")][0]
    found = re.compile(pattern, re.I if "i" in flags else 0).search
    return [line for line in lines if bool(found(line)) != ("v" in flags)]


def _piped(words: list[str]) -> list[str]:
    """The output of commands with pipes between them."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        else:
            parts[-1].append(word)
    name, rest = parts[0][0], parts[0][1:]
    if not all(parts) or "<" in rest or \
            name not in _COMMANDS and name not in _INSTALLERS:
        raise NotImplementedError
    lines = package_words(shlex.join(parts[0])) if name in _INSTALLERS else \
        _COMMANDS[name](rest)
    for part in parts[1:]:
        lines = _filtered(part, lines)
    return lines


def _one(line: str) -> list[str]:
    """The output of one command, as lines."""
    words, target = _redirected(split_words(line))
    if not words:
        return []
    try:
        lines = _piped(words)
    except NotImplementedError:
        print(f"`{line}` was not run: programs cannot be started here.",
              file=sys.stderr)
        return []
    except (OSError, ValueError, IndexError, re.error, shutil.Error) as exc:
        print(f"{words[0]}: {exc}", file=sys.stderr)
        return []
    if target is None:
        return lines
    with open(_expand(target[0]), target[1], encoding="utf-8") as file:
        file.writelines(text + "\n" for text in lines)
    return []


def command(line: str) -> list[str]:
    """Do a shell line. Returns its output."""
    lines: list[str] = []
    for one in re.split(r"\s*(?:&&|;)\s*", line.strip()):
        if one:
            lines += _one(one)
    return lines
