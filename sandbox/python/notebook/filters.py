"""filters - commands of a shell line that read lines: grep, sort and others.

They read files, or the output of the command before a pipe. An option that is
not known here raises NotImplementedError, so that the line is not run rather
than run in another way.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import glob
import os
import re
from typing import Any, Callable, Iterable, Optional

_expand, _glob, _walk = os.path.expanduser, glob.glob, os.walk
_isdir, _join, _size = os.path.isdir, os.path.join, os.path.getsize
_CLASSES = {"[:digit:]": "0-9", "[:alpha:]": "A-Za-z", "[:space:]": r"\s",
            "[:alnum:]": "A-Za-z0-9", "[:upper:]": "A-Z", "[:lower:]": "a-z"}
_SWAPPED = re.compile(r"\\?[|+?(){}]")  # a basic pattern escapes operators

Options = dict[str, str]
Lines = Optional[list[str]]  # None: there is no pipe before the command


def files(words: Iterable[str]) -> list[str]:
    """The paths among the words, with patterns filled in."""
    found: list[str] = []
    for word in words:
        if not word.startswith("-"):
            word = _expand(word)
            found += sorted(_glob(word)) or [word]
    return found


def text(path: str) -> list[str]:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def options(words: list[str], flags: str,
            valued: str = "") -> tuple[Options, list[str]]:
    """The options of a command, and its other words. VALUED ones have a value,
    in the same word or the next one."""
    found: Options = {}
    rest: list[str] = []
    following = iter(words)
    for word in following:
        if len(word) < 2 or word[0] != "-":
            rest.append(word)
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                found[letter] = letters or next(following, "")
                break
            if letter not in flags:
                raise NotImplementedError
            found[letter] = ""
    return found, rest


def _input(paths: list[str], lines: Lines) -> list[str]:
    if not paths and lines is not None:
        return lines
    return [line for path in files(paths) for line in text(path)]


# -- grep

def _pattern(given: Options, pattern: str) -> Any:
    for name, letters in _CLASSES.items():
        pattern = pattern.replace(name, letters)
    if "F" in given:
        pattern = re.escape(pattern)
    elif "E" not in given and "P" not in given:
        pattern = _SWAPPED.sub(
            lambda one: one[0][1:] if len(one[0]) > 1 else "\\" + one[0],
            pattern)
    if "w" in given:
        pattern = rf"\b(?:{pattern})\b"
    return re.compile(pattern, re.I if "i" in given else 0)


def _found(given: Options, pattern: Any, lines: list[str]) -> list[str]:
    """The lines that one file gives."""
    kept = [(number, line) for number, line in enumerate(lines, 1)
            if bool(pattern.search(line)) != ("v" in given)]
    if "m" in given:
        kept = kept[:int(given["m"])]
    if "c" in given:
        return [str(len(kept))]
    if "o" in given:
        kept = [(number, one[0]) for number, line in kept
                for one in pattern.finditer(line) if one[0]]
    return [f"{number}:{line}" if "n" in given else line
            for number, line in kept]


def _below(paths: list[str]) -> list[str]:
    return [_join(folder, name) for path in paths
            for folder, _, names in (_walk(path) if _isdir(path) else
                                     [("", [], [path])])
            for name in sorted(names)]


def _grep(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "cinvloEFPwrRhHqs", "em")
    pattern = _pattern(given, given["e"] if "e" in given else rest.pop(0))
    deep = "r" in given or "R" in given
    paths = files(rest) or (["."] if deep else [])
    if not paths:
        return _found(given, pattern, lines or [])
    paths = _below(paths) if deep else paths
    named = (len(paths) > 1 or deep or "H" in given) and "h" not in given
    found: list[str] = []
    for path in paths:
        part = _found({**given, "c": ""} if "l" in given else given, pattern,
                      text(path))
        if "l" in given:
            found += [path] if part != ["0"] else []
        else:
            found += [f"{path}:{line}" if named else line for line in part]
    return [] if "q" in given else found


# -- others that give lines

def _number(word: str) -> float:
    found = re.match(r"\s*(-?\d+(?:\.\d*)?)", word)
    return float(found[1]) if found else 0.0


def _sort(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "nrufg", "kt")
    place = re.match(r"(\d+)([nr]*)", given.get("k", "0"))
    if not place:
        raise NotImplementedError
    ways = place[2] + "".join(given)

    def key(line: str) -> Any:
        if int(place[1]):
            line = " ".join(line.split(given.get("t"))[int(place[1]) - 1:])
        line = line.lower() if "f" in given else line
        return (_number(line), line) if set("ng") & set(ways) else line

    found = _input(rest, lines)
    return sorted(dict.fromkeys(found) if "u" in given else found, key=key,
                  reverse="r" in ways)


def _unique(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "cdui")
    groups: list[list[str]] = []
    for line in _input(rest, lines):
        if groups and groups[-1][0] == line:
            groups[-1].append(line)
        else:
            groups.append([line])
    if "d" in given or "u" in given:
        groups = [one for one in groups if (len(one) > 1) == ("d" in given)]
    return [f"{len(one):>7} {one[0]}" if "c" in given else one[0]
            for one in groups]


def _cut(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "s", "dfc")
    sign = given.get("d", "\t") or "\t"
    chosen = []
    for part in (given.get("f") or given.get("c") or "1-").split(","):
        first, dash, last = part.partition("-")
        chosen.append(slice(int(first or 1) - 1, int(last) if last else
                            None if dash else int(first)))
    found = []
    for line in _input(rest, lines):
        parts = list(line) if "c" in given else line.split(sign)
        kept = [one for part in chosen for one in parts[part]]
        found.append(("" if "c" in given else sign).join(kept))
    return found


def _part(words: list[str]) -> tuple[str, list[str]]:
    """The number of `head -n 5 FILE` or `head -5 FILE`, and the rest."""
    count, rest = "10", []
    for word in words:
        found = re.fullmatch(r"-?n?(-?\+?\d+)", word)
        if found and (word[0] == "-" or count == "-n"):
            count = found[1]
        elif word == "-n":
            count = "-n"
        elif found and count == "-n":
            count = word
        elif word.startswith("-"):
            raise NotImplementedError
        else:
            rest.append(word)
    return count, rest


def _head(words: list[str], lines: Lines) -> list[str]:
    count, rest = _part(words)
    return _input(rest, lines)[:int(count)]


def _tail(words: list[str], lines: Lines) -> list[str]:
    count, rest = _part(words)
    found = _input(rest, lines)
    if count.startswith("+"):
        return found[int(count) - 1:]
    return found[-abs(int(count)):] if int(count) else []


def _count(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "lwc")
    if lines is not None and not rest:
        size = sum(len(line.encode()) + 1 for line in lines)
        return [_counted(given, lines, size)]
    return [f"{_counted(given, text(path), _size(path))} {path}"
            for path in files(rest)]


def _counted(given: Options, lines: list[str], size: int) -> str:
    counts = {"l": len(lines), "w": sum(len(line.split()) for line in lines),
              "c": size}
    return " ".join(str(count) for name, count in counts.items()
                    if name in given or not given)


def _text(words: list[str], lines: Lines) -> list[str]:
    given, rest = options(words, "n")
    found = _input(rest, lines)
    return [f"{number:>6}\t{line}" for number, line in enumerate(found, 1)
            ] if "n" in given else found


FILTERS: dict[str, Callable[[list[str], Lines], list[str]]] = {
    "cat": _text, "cut": _cut, "grep": _grep, "head": _head, "sort": _sort,
    "tail": _tail, "uniq": _unique, "wc": _count,
    "egrep": lambda words, lines: _grep(["-E", *words], lines),
}
