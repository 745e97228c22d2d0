"""refusals - calls that a guest is refused say why.

The kernel gives a number, and "Operation not permitted" misleads the reader
of a caught exception that was printed. So the calls that programs use most add
words to the exception, which stays the same otherwise. The call itself is made
all the same: these functions are no wall.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import heard  # C's
from .adopt import adopt

import _socket
import errno
import os
import posix
import socket
import subprocess
import sys
from typing import Any, Callable

NO_NETWORK = ("there is no network here; send the data as a file with the "
              "request")
NO_PROCESS = "processes, programs and shell commands cannot be started here"

_REFUSED = (errno.EPERM, errno.EACCES, errno.EAFNOSUPPORT)
_system = os.system

# Commands that programs run, and what to do in Python. A name may be followed
# by more words.
_COMMANDS = {
    "pip": "and nothing can be installed", "conda":
    "and nothing can be installed", "apt": "and nothing can be installed",
    "apt-get": "and nothing can be installed",
    "ls": "use os.listdir", "cat": "use open", "head": "use open",
    "mkdir": "use os.makedirs", "rm": "use os.remove or shutil.rmtree",
    "cp": "use shutil.copy", "mv": "use shutil.move",
    "pwd": "use os.getcwd", "find": "use pathlib.Path.rglob",
    "grep": "use re", "sed": "use re", "awk": "use pandas",
    "wc": "use open and len", "sort": "use sorted",
    "unzip": "use zipfile", "zip": "use zipfile", "tar": "use tarfile",
    "gzip": "use gzip", "gunzip": "use gzip", "7z": "use zipfile",
    "curl": "and there is no network", "wget": "and there is no network",
    "git": "and there is no network", "ping": "and there is no network",
    "python": "use runpy.run_path or exec", "python3":
    "use runpy.run_path or exec", "ffmpeg": "use PIL for animated GIF",
    "libreoffice": "use docx, openpyxl or reportlab", "soffice":
    "use docx, openpyxl or reportlab", "pandoc": "use docx or markdown",
    "pip3": "and nothing can be installed",
    "pdflatex": "use reportlab or matplotlib", "xelatex":
    "use reportlab or matplotlib", "latex": "use matplotlib's mathtext",
    "pdftotext": "use pypdf or pdfminer", "tesseract":
    "and no library here reads text in pictures: send the text",
    "convert": "use PIL", "magick": "use PIL", "dot": "use networkx",
    "node": "and only Python runs", "gcc": "and only Python runs",
    "g++": "and only Python runs", "java": "and only Python runs",
    "cut": "use str.split", "date": "use datetime", "df":
    "use shutil.disk_usage", "diff": "use difflib", "du": "use os.walk",
    "echo": "use print", "exiftool": "use PIL", "file": "use mimetypes",
    "free": "use psutil", "gs": "use fitz", "nproc": "use os.cpu_count",
    "nvidia-smi": "and only a processor computes", "pdftk": "use pypdf",
    "pdftoppm": "use fitz", "ps": "use psutil", "qpdf": "use pypdf",
    "tee": "use open", "top": "use psutil", "touch": "use open",
    "tr": "use str.translate", "uname": "use platform", "uniq":
    "use dict.fromkeys", "which": "use shutil.which", "whoami":
    "use getpass.getuser", "wkhtmltopdf": "use weasyprint",
    **dict.fromkeys("R Rscript bash cargo cmake docker go make npm npx perl "
                    "php ruby rustc sh".split(), "and only Python runs"),
    **dict.fromkeys("flask gunicorn jupyter ssh streamlit uvicorn".split(),
                    "and there is no network"),
}
_OTHERWISE = "use modules of Python, such as pathlib, shutil and re"
# Modules that programs start by python -m.
_MODULES = {"pytest": "pytest.main", "unittest": "unittest.main",
            "timeit": "timeit.timeit", "doctest": "doctest.testmod"}


def command_words(command: Any) -> str:
    """The words for a command: a text, or a list of arguments."""
    if isinstance(command, (list, tuple)):
        words = [str(word) for word in command[:4]]
        if words[1:2] == ["-c"]:  # of a shell, or of Python
            words = words[2].split() if words[0] in ("sh", "/bin/sh", "bash") \
                else words
    else:
        words = os.fsdecode(command)[:200].split()
    if words[1:3] == ["-m", "pip"]:
        words = ["pip"]
    name = words[0].rpartition("/")[2] if words else ""
    more = _COMMANDS.get(name, _OTHERWISE)
    if name.startswith("python") and words[1:2] == ["-m"]:
        more = f"use {_MODULES.get(words[2:3][0], 'runpy.run_module')}" \
            if words[2:3] else more
    return f"{NO_PROCESS}{', ' if more.startswith('and ') else ': '}{more}"


def _say(exc: OSError, words: str) -> None:
    """Add WORDS to the text of EXC."""
    if isinstance(exc.strerror, str) and words not in exc.strerror:
        # A call below may have said the first part of WORDS.
        text = exc.strerror.replace(f": {NO_PROCESS}", "")
        exc.strerror = f"{text}: {words}"
        exc.args = (exc.errno, exc.strerror, *exc.args[2:])


def _telling(call: Callable[..., Any], words: str) -> Callable[..., Any]:
    """CALL, whose exceptions have WORDS."""
    def tell(exc: BaseException) -> None:
        if isinstance(exc, OSError) and (
                exc.errno in _REFUSED or isinstance(exc, _socket.gaierror)):
            _say(exc, words)
    return heard(call, tell)


def _replace(modules: tuple[Any, ...], names: str, words: str) -> None:
    for name in names.split():
        call = _telling(getattr(modules[0], name), words)
        for module in modules:
            setattr(module, name, call)


_init = socket.socket.__init__
_execute = subprocess.Popen._execute_child  # type: ignore[attr-defined]


def _init_socket(self: socket.socket, family: int = -1, type: int = -1,
                 proto: int = -1, fileno: Any = None) -> None:
    try:
        _init(self, family, type, proto, fileno)
    except OSError as exc:
        if exc.errno in _REFUSED:
            _say(exc, NO_NETWORK)
        raise


def _execute_child(self: Any, args: Any, *more: Any) -> None:
    try:
        _execute(self, args, *more)
    except OSError as exc:
        if exc.errno in _REFUSED:
            _say(exc, command_words(args))
        raise


def system(command: Any) -> int:
    """Execute the command in a subshell."""
    status = _system(command)
    if status != 0:
        print(f"os.system: {command_words(command)}", file=sys.stderr)
    return status


def _change_requests(adapters: Any) -> None:
    """It would miss the file of certificates before it misses the network."""
    adapters.DEFAULT_CA_BUNDLE_PATH = os.devnull


def _change_ssl(ssl: Any) -> None:
    """Libraries read the host's certificates when they are imported. There are
    none here, and nothing to connect to."""
    plain = ssl.SSLContext.load_verify_locations

    def load_verify_locations(self: Any, cafile: Any = None,
                              capath: Any = None, cadata: Any = None) -> None:
        try:
            plain(self, cafile, capath, cadata)
        except FileNotFoundError:
            if not str(cafile or capath).startswith("/etc/ssl/"):
                raise

    ssl.SSLContext.load_verify_locations = load_verify_locations


adopt("requests.adapters", _change_requests)
adopt("ssl", _change_ssl)
_replace((_socket,), "getaddrinfo", NO_NETWORK)
_replace((_socket, socket), "gethostbyname gethostbyname_ex gethostbyaddr",
         NO_NETWORK)
_replace((os, posix), "fork forkpty",
         f"{NO_PROCESS}: use multiprocessing or threading")
_replace((os, posix), "execv execve posix_spawn posix_spawnp", NO_PROCESS)
_init_socket.__name__ = "__init__"
socket.socket.__init__ = _init_socket  # type: ignore[method-assign]
subprocess.Popen._execute_child = _execute_child  # type: ignore
for _module in (os, posix):
    _module.system = system  # type: ignore[attr-defined]
