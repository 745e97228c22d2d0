"""errors - the report of the exception that ended a program.

The traceback as Python prints it, without the runner's frames, from private
copies of traceback and linecache that the program cannot reach by accident.
Then the lines around the failing one.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .channels import REFUSED, VALUE, cut, fit, send, send_error, utf8
from .deadline import Timeout, guarded, guarded_late, raise_again_in
from .hints import hint
from .notes import START, without
from .job import ERROR_VALUE, EXIT_RAISES, FILE, SCRIPT, TRACEBACK, Job
from .own import is_ours, private_copy, type_name

import errno
import linecache
import sys
from typing import Any, Callable, Iterator, Optional

_args_of = BaseException.__dict__["args"].__get__
_code_of = SystemExit.__dict__["code"].__get__
_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__
_errno_of = OSError.__dict__["errno"].__get__
_filename_of = SyntaxError.__dict__["filename"].__get__
_lineno_of = SyntaxError.__dict__["lineno"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_str_of = str

MESSAGE_BYTES = 64 << 10    # of a traceback
FRAMES = 1000               # kept of a traceback, half at either end
CONTEXT_LINES = 4           # above and below the failing line
CONTEXT_WIDTH = 400         # characters of such a line
CALL_CHARS = 60             # of the name of a call that was refused
CAUSES = 20                 # of an exception, followed at most
FORMAT_S = 0.1              # time for formatting after the deadline


# The system call behind a Python call that can be refused, where their names
# differ. A dotted name is looked up first, then its last part.
_SYSTEM_CALLS = {
    "_fork_exec": "fork", "fork_exec": "fork", "forkpty": "fork",
    "posix_spawn": "clone", "posix_spawnp": "clone",
    "execv": "execve", "execl": "execve", "execvp": "execve",
    "execvpe": "execve",
    "_socket.socket.__init__": "socket", "socket.socket": "socket",
    "getaddrinfo": "socket", "gethostbyname": "socket",
    "gethostbyname_ex": "socket", "gethostbyaddr": "socket",
    "getnameinfo": "socket", "if_nameindex": "socket",
    "open": "openat", "open_code": "openat", "FileIO": "openat",
    "listdir": "openat", "scandir": "openat",
    "remove": "unlink", "replace": "rename", "utime": "utimensat",
    "mknod": "mknodat", "mkfifo": "mknodat",
    "killpg": "kill", "pthread_kill": "tgkill",
}
# System calls with the same names as their Python calls.
_PLAIN_CALLS = frozenset([
    "bind", "chroot", "connect", "fork", "kill", "listen", "mount", "nice",
    "pidfd_open", "ptrace", "sched_setaffinity", "sched_setscheduler",
    "setegid", "seteuid", "setgid", "setgroups", "sethostname", "setns",
    "setpgid", "setpriority", "setregid", "setresgid", "setresuid",
    "setreuid", "setsid", "setuid", "socketpair", "unshare"])
# System calls on a file.
_FILE_CALLS = frozenset([
    "access", "chdir", "chmod", "chown", "lchmod", "lchown", "link", "mkdir",
    "mknodat", "openat", "pathconf", "readlink", "rename", "rmdir", "stat",
    "lstat", "statvfs", "symlink", "truncate", "unlink", "utimensat",
    "getxattr", "listxattr", "removexattr", "setxattr"])

# Error numbers that the walls give, and the resolver without a network
# (EAI_AGAIN, EAI_NONAME). The same numbers can have other causes.
_REFUSALS = frozenset([errno.EPERM, errno.EACCES, errno.EROFS, errno.ENOSYS,
                       errno.EAFNOSUPPORT, -3, -2])

def _keep_frames(walk: Callable[..., Iterator[Any]]) -> Callable[
        ..., Iterator[Any]]:
    """WALK over a traceback, without the runner's frames and without the
    middle of a very long one."""
    def kept(tb: Any) -> Iterator[Any]:
        found = [pair for pair in walk(tb)
                 if not is_ours(pair[0])]
        if len(found) > FRAMES:
            del found[FRAMES // 2:-(FRAMES // 2)]
        return iter(found)
    return kept


_linecache = private_copy("linecache")
_traceback = private_copy("traceback")
_traceback.linecache = _linecache
for _name in ("walk_tb", "_walk_tb_with_full_positions"):
    if hasattr(_traceback, _name):
        setattr(_traceback, _name, _keep_frames(getattr(_traceback, _name)))


def _entries(exc: BaseException) -> list[Any]:
    """The traceback's entries that are not the runner's, outermost first."""
    entry, found = _traceback_of(exc), []
    while entry is not None:
        if not is_ours(entry.tb_frame):
            found.append(entry)
        entry = entry.tb_next
    return found


def know_source(job: Job, text: str) -> None:
    """Make the source known to tracebacks, warnings and inspect."""
    job.lines = text.split("\n")
    lines = [line + "\n" for line in job.lines]
    file = job.file
    linecache.cache[file] = (len(text), None, lines, file)
    if len(text) > 1000:  # no carets under a line of megabytes
        lines = [line if len(line) <= 1000 else "\n" for line in lines]
    _linecache.cache[file] = (len(text), None, lines, file)


def forget_source(file: str = FILE) -> None:
    """Undo know_source()."""
    for cache in (linecache.cache, _linecache.cache):
        cache.pop(file, None)


def _failing_line(exc: BaseException, file: str) -> int:
    """The line of FILE that failed, or 0."""
    for entry in reversed(_entries(exc)):
        if entry.tb_frame.f_code.co_filename == file:
            return entry.tb_lineno or 0
    if issubclass(type(exc), SyntaxError):
        line = _lineno_of(exc)
        if _filename_of(exc) == file and type(line) is int:
            return line
    return 0


def _context(exc: BaseException, job: Job) -> str:
    """The lines around the failing one, as the end of the message."""
    lines, line = job.lines, _failing_line(exc, job.file)
    if not 0 < line <= len(lines):
        return ""
    text = ["\n\nCode context:"]
    first = max(line - CONTEXT_LINES, 1)
    for number, found in enumerate(lines[first - 1:line + CONTEXT_LINES]):
        if len(found) > CONTEXT_WIDTH:
            found = found[:CONTEXT_WIDTH] + "..."
        text.append(f"{first + number}: {found}")
    return "\n".join(text)


def format_error(exc: BaseException, noted: bool = True) -> str:
    """The traceback as Python prints it, causes and contexts included. Without
    EXC's own hint if NOTED is not set."""
    report = _traceback.TracebackException(type(exc), exc, _traceback_of(exc))
    if not noted:
        report.__notes__ = without(report.__notes__)
    return "".join(report.format())


def format_plainly(exc: BaseException) -> str:
    """The traceback, made without calling any method of the exception."""
    entries = _entries(exc)
    lines = ["Traceback (most recent call last):"] if entries else []
    for entry in entries[-20:]:
        code = entry.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {entry.tb_lineno},'
                     f" in {code.co_name}")
    words = [str.__str__(arg)[:MESSAGE_BYTES] for arg in _args_of(exc)[:4]
             if issubclass(type(arg), str)]
    name = type_name(type(exc))
    lines.append(f"{name}: {', '.join(words)}" if words else name)
    return "\n".join(lines)


def _refusal_of(exc: Optional[BaseException]) -> Optional[BaseException]:
    """EXC, or one of its causes, that is a refused system call."""
    for _ in range(CAUSES):
        if exc is None:
            break
        if issubclass(type(exc), OSError):
            number = _errno_of(exc)
            if type(number) is int and number in _REFUSALS:
                return exc
        exc = _cause_of(exc) or _context_of(exc)
    return None


def _failing_call(exc: BaseException) -> str:
    """The name of the call that raised EXC, as its source has it: "os.fork".
    "" if it cannot be found, as always before Python 3.11."""
    entries = _entries(exc)
    code = entries[-1].tb_frame.f_code if entries else None
    if code is None or not hasattr(code, "co_positions"):
        return ""
    place = entries[-1].tb_lasti // 2
    line, last, begin, end = list(code.co_positions())[place]
    if line is None or begin is None:
        return ""
    text = _linecache.getline(code.co_filename, line).encode("utf-8")
    text = text[begin:end if last == line else None].partition(b"(")[0]
    name = text.decode("utf-8", "replace").strip()
    known = all(part.isidentifier() for part in name.split("."))
    return name if known and len(name) <= CALL_CHARS else ""


def _system_call(call: str) -> str:
    """The name of the system call that the Python call CALL is known to make,
    else that of the Python call."""
    last = call.rpartition(".")[2]
    for name in (call, last):
        if name in _SYSTEM_CALLS:
            return _SYSTEM_CALLS[name]
    return last if last in _FILE_CALLS or last in _PLAIN_CALLS else call


def _refusal_words(exc: BaseException) -> bytes:
    """The name of the call that a wall refused, or b"". Also reports it to the
    worker."""
    refusal = _refusal_of(exc)
    if refusal is None:
        return b""
    call, _ = guarded_late(_failing_call, refusal)
    if not call:
        return b""
    name = _system_call(call)
    send(REFUSED, (b"f" if name in _FILE_CALLS else b"s") + utf8(name))
    return utf8(f"\nOperation not permitted: {name}")


def _hint_words(exc: BaseException, job: Job) -> bytes:
    found, _ = guarded_late(hint, exc, job)
    return utf8("\n" + START + found) if found else b""


def _free_memory(job: Job, exc: Optional[BaseException]) -> None:
    """Release the memory that the frames of a MemoryError still hold."""
    job.reserve = None
    while exc is not None:
        for entry in _entries(exc):
            try:
                entry.tb_frame.clear()
            except RuntimeError:
                pass  # still running
        exc = exc.__context__ if type(exc) is MemoryError else None


def _is_success(exc: BaseException) -> bool:
    """Whether EXC is sys.exit() or sys.exit(0)."""
    if not issubclass(type(exc), SystemExit):
        return False
    code = _code_of(exc)
    return code is None or (isinstance(code, int) and int.__eq__(code, 0))


def _exit_code(exc: BaseException) -> int:
    """The exit code that a shell would show for EXC, 1 to 255."""
    if issubclass(type(exc), SystemExit):
        code = _code_of(exc)
        if isinstance(code, int):
            return int.__and__(code, 0xff) or 1
    return 1


def _print_exit_text(exc: BaseException) -> None:
    """Print the text of sys.exit("text"), as CPython does."""
    code = _code_of(exc)
    if code is not None and not isinstance(code, int):
        sys.stderr.write(_str_of(code) + "\n")


def _send_text(job: Job, exc: BaseException) -> None:
    """Send str() of the exception as the value, unless there is one."""
    if job.has_value:
        return
    job.has_value = True
    text, _ = guarded_late(_str_of, exc)
    if text is None:
        text = f"<exception str() failed: {type_name(type(exc))}>"
    send(VALUE, fit(str.__str__(text), job.value_room).encode("ascii"))


def fail(job: Job, exc: BaseException) -> None:
    """Report the first exception that ended the program, and no other."""
    if job.failed or (_is_success(exc) and not job.habits & EXIT_RAISES):
        return
    if issubclass(type(exc), MemoryError):
        _free_memory(job, exc)
    if issubclass(type(exc), SystemExit):
        guarded(_print_exit_text, exc)
    job.exit_code = _exit_code(exc)
    raise_again_in(FORMAT_S)
    text, _ = guarded_late(format_error, exc, False)
    if text is None:
        text = format_plainly(exc)
    name = ("timeout" if type(exc) is Timeout else type_name(type(exc)))
    message = cut(utf8(text.rstrip("\n")), MESSAGE_BYTES)
    if job.habits & SCRIPT and issubclass(type(exc), SystemExit):
        message = b""
    elif not job.habits & TRACEBACK:
        message += _refusal_words(exc) + _hint_words(exc, job)
        message += utf8(_context(exc, job))
    if job.habits & ERROR_VALUE:
        _send_text(job, exc)
    send_error(job, utf8(name) + b"\0" + message)
