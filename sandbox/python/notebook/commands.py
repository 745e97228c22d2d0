"""commands - the shell lines of notebooks that need no other program.

Programs cannot be started here. A few commands that only handle files are done
in Python, and pip says what is installed. For all others a sentence is printed.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .filters import FILTERS, files, options, text
from .missing import installed, words_for
from .refusals import NO_PROCESS, command_words

import importlib
import os
import re
import shlex
import shutil
import sys
from typing import Any, Callable, Optional

_cwd, _environ, _expand = os.getcwd, os.environ, os.path.expanduser
_import, _split = importlib.import_module, shlex.split
_NO_PROGRAM = "programs cannot be started here"
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


def _list(words: list[str]) -> list[str]:
    flags = "".join(word for word in words if word.startswith("-"))
    lines: list[str] = []
    for path in files(words) or ["."]:
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


def _echo(words: list[str]) -> list[str]:
    return [" ".join(word for word in words if word not in ("-e", "-n"))]


def _make(words: list[str]) -> list[str]:
    for path in files(words):
        os.makedirs(path, exist_ok="-p" in words)
    return []


def _touch(words: list[str]) -> list[str]:
    for path in files(words):
        with open(path, "ab"):
            pass
    return []


def _remove(words: list[str]) -> list[str]:
    flags = "".join(word for word in words if word.startswith("-"))
    for path in files(words):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path) if "r" in flags else os.rmdir(path)
        elif "f" not in flags or os.path.lexists(path):
            os.remove(path)
    return []


def _copy(words: list[str]) -> list[str]:
    *sources, target = files(words)
    for path in sources:
        if os.path.isdir(path):
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copy2(path, target)
    return []


def _move(words: list[str]) -> list[str]:
    *sources, target = files(words)
    for path in sources:
        shutil.move(path, target)
    return []


def _require(right: bool, path: str, kind: str) -> None:
    if not right:
        raise ValueError(f"{path} is no {kind}")


def _unpack(words: list[str]) -> list[str]:
    given, rest = options(words, "loqn", "d")
    zipfile = _import("zipfile")
    for path in files(rest[:1]):
        _require(zipfile.is_zipfile(path), path, "ZIP file")
        with zipfile.ZipFile(path) as archive:
            if "l" in given:
                return [f"{one.file_size:>9}  {one.filename}"
                        for one in archive.infolist()]
            archive.extractall(given.get("d", "."), rest[1:] or None)
    return []


def _pack(words: list[str]) -> list[str]:
    given, (target, *rest) = options(words, "rqj9")
    target += "" if os.path.splitext(target)[1] else ".zip"
    zipfile = _import("zipfile")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files(rest):
            for name in _tree(path) if "r" in given else [path]:
                if os.path.abspath(name) != os.path.abspath(target):
                    archive.write(name, os.path.basename(name)
                                  if "j" in given else name)
    return []


def _tree(path: str) -> list[str]:
    """A path, and all below it."""
    return [path] + [os.path.join(folder, name)
                     for folder, folders, names in os.walk(path)
                     for name in sorted(folders + names)]


def _tape(words: list[str]) -> list[str]:
    """tar -czf FILE PATHS, tar -xf FILE [-C DIR], tar -tf FILE."""
    if words and not words[0].startswith("-"):
        words = ["-" + words[0], *words[1:]]
    given, rest = options(words, "cxtzjJv", "fC")
    tarfile = _import("tarfile")
    if "c" in given:
        form = next((kind for flag, kind in (("z", "gz"), ("j", "bz2"),
                                             ("J", "xz")) if flag in given), "")
        with tarfile.open(given["f"], "w:" + form) as archive:
            for path in files(rest):
                archive.add(os.path.join(given.get("C", ""), path), path)
        return []
    _require(tarfile.is_tarfile(given["f"]), given["f"], "tar archive")
    with tarfile.open(given["f"]) as archive:
        if "t" in given:
            return list(archive.getnames())
        archive.extractall(given.get("C", "."), filter="data")
    return []


def _find(words: list[str]) -> list[str]:
    count = next((place for place, word in enumerate(words)
                  if word.startswith("-")), len(words))
    tests = dict(zip(words[count::2], words[count + 1::2]))
    if len(words[count:]) % 2 or \
            tests.keys() - {"-name", "-iname", "-type", "-maxdepth"}:
        raise NotImplementedError
    matches = _import("fnmatch").fnmatchcase
    found: list[str] = []
    for top in files(words[:count] or ["."]):
        for path in _tree(top):
            name = os.path.basename(path)
            kind = "d" if os.path.isdir(path) else "f"
            depth = path[len(top):].strip("/").count("/") + (path != top)
            if matches(name, tests.get("-name", "*")) and \
                    matches(name.lower(), tests.get("-iname", "*").lower()) \
                    and tests.get("-type", kind) == kind and \
                    depth <= int(tests.get("-maxdepth", depth)):
                found.append(path)
    return found


def _used(words: list[str]) -> list[str]:
    """du: bytes of files, not of disk blocks."""
    given, rest = options(words, "shckbm")
    sizes = [(sum(os.path.getsize(name) for name in _tree(path)
                  if os.path.isfile(name)), path)
             for path in files(rest or ["."])]
    return [f"{_short(size) if 'h' in given else -(-size // 1024)}\t{path}"
            for size, path in sizes]


def _short(size: float) -> str:
    for unit in ("", "K", "M"):
        if size < 1024:
            break
        size /= 1024
    else:
        unit = "G"
    return f"{size:.1f}{unit}" if unit and size < 10 else f"{size:.0f}{unit}"


def _date(words: list[str]) -> list[str]:
    _, rest = options(words, "u")
    form = rest[0].lstrip("+") if rest else "%a %b %e %H:%M:%S UTC %Y"
    return [_import("time").strftime(form, _import("time").gmtime())]


def _environment(words: list[str]) -> list[str]:
    return [_environ[name] for name in words if name in _environ] if words \
        else [f"{name}={value}" for name, value in _environ.items()]


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
    "echo": _echo, "mkdir": _make, "touch": _touch, "rm": _remove,
    "rmdir": _remove, "cp": _copy, "mv": _move, "unzip": _unpack,
    "cd": _change, "python": _python, "python3": _python,
    "date": _date, "du": _used, "env": _environment, "find": _find,
    "nproc": lambda words: [str(os.cpu_count())], "printenv": _environment,
    "tar": _tape, "true": lambda words: [], "uname": lambda words: ["Linux"],
    "which": lambda words: list(filter(None, map(shutil.which, words))),
    "whoami": lambda words: [_environ.get("USER", "user")], "zip": _pack,
}
_INSTALLERS = frozenset(["pip", "pip3", "conda", "mamba", "uv"])


# Outside of quotes: 2>&1 and 2>FILE; and &> and > without a blank.
_STREAMS = re.compile(
    r"""("[^"]*"|'[^']*')|\s+2>&1|\s+2>>?\s*\S+|\s(?:&(?=>))?(>>?)"""
    r"""(?=[^>=&])""")


def _one_stream(line: str) -> str:
    """LINE without the places of its errors, and with blanks around >."""
    return _STREAMS.sub(lambda found: found[1] or (
        f" {found[2]} " if found[2] else ""), line)


def _redirected(words: list[str]) -> tuple[list[str], Any]:
    """The words before `> FILE` or `>> FILE`, and (FILE, mode)."""
    for sign, mode in ((">", "w"), (">>", "a")):
        if sign in words[:-1]:
            place = words.index(sign)
            return words[:place], (words[place + 1], mode)
    return words, None


def _piped(words: list[str]) -> list[str]:
    """The output of commands with pipes between them."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        else:
            parts[-1].append(word)
    if not all(parts) or "<" in words:
        raise NotImplementedError
    lines = _first(parts[0][0], parts[0])
    for name, *rest in parts[1:]:
        if name not in FILTERS:
            raise NotImplementedError
        lines = FILTERS[name](rest, lines)
    return lines


def _first(name: str, words: list[str]) -> list[str]:
    """The output of a command that nothing is piped into."""
    if name in FILTERS:
        return FILTERS[name](words[1:], None)
    if name in _INSTALLERS:
        return package_words(shlex.join(words))
    if name not in _COMMANDS:
        raise NotImplementedError
    return _COMMANDS[name](words[1:])


def _with_environment(line: str) -> str:
    """LINE with the values of $NAME and ${NAME}, but not between '...'."""
    def value(found: Any) -> str:
        name = found[2] or found[3]
        return found[0] if found[1] or not name else _environ.get(name, "")
    return re.sub(r"""('[^']*'|\\.)|\$(?:(\w+)|\{(\w+)\})""", value, line)


def _one(line: str) -> list[str]:
    """The output of one command, as lines."""
    words, target = _redirected(split_words(_one_stream(
        _with_environment(line))))
    if not words:
        return []
    try:
        lines = _piped(words)
    except NotImplementedError:
        reason = command_words(line).replace(NO_PROCESS, _NO_PROGRAM)
        print(f"`{line}` was not run: {reason}.", file=sys.stderr)
        return []
    except (OSError, ValueError, LookupError, re.error) as exc:
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
