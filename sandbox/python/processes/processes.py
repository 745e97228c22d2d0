"""processes - multiprocessing's processes as threads of the guest.

A guest may not fork. So each Process of multiprocessing is a thread here, with
a name, a number, an exit code and an end of its own. All else is the standard
library's: Pool, ProcessPoolExecutor and the start methods end in a Popen, and
this is it. exchange.py and shared.py adapt what processes exchange.

Other than with processes, globals are shared, and a process that is terminated
counts as dead at once, while its thread ends at its next step in Python.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import apart  # C's: hides the runner's frames from the program
from .adopt import when_imported
from .errors import format_error
from .stand_ins import stand_in

import _thread
import ctypes
import importlib
import itertools
import os
import signal
import sys
import threading
import time
from typing import Any, Callable, Optional

POOL = 12                   # workers of a pool at most: two pools, 32 threads
WAIT_S = 10.0               # for the end of a process, when there is no thread

_Thread = threading.Thread
_active = threading._active  # thread ids and threads
# Guards the table and all Popen objects. A thread may be stopped at any step,
# and only a lock of C's own is released then. A signal handler may end a
# process while its thread has the lock.
_lock = _thread.RLock()
_Event = threading.Event
_get_ident = _thread.get_ident
_getpid, _exit, _kill = os.getpid, os._exit, os.kill
_modules = sys.modules
_raise_there = ctypes.pythonapi.PyThreadState_SetAsyncExc
_set_signal, _start_thread = signal.signal, _Thread.start
_sleep = time.sleep
_HOME = "/home/user/"
_CALL = ("_target", "_args", "_kwargs")  # of a Process, what it calls
# Modules that hear of the numbers of the stand-ins, beside the program's own.
# Others compare numbers to notice a fork.
_HEAR = ("__main__", "main", "logging", "concurrent.futures.process")


class _Table:
    """main: multiprocessing's object of the main process. living: the Popen
    objects of those that run, by number. forked and ended: functions that are
    called with parent and child, and with the process that ended. begun:
    functions that are called with the first process, and return what they
    replaced."""
    main: Any = None
    living: dict[int, "Popen"] = {}
    numbers = itertools.count(1)
    forked: list[Callable[[Any, Any], None]] = []
    ended: list[Callable[[Any], None]] = []
    waiters: list[threading.Event] = []  # for the end of any process
    begun: list[Callable[[], dict[int, tuple[Any, Any]]]] = []
    installed = False


def current_process() -> Any:
    """Return process object representing the current process."""
    thread = _active.get(_get_ident())
    return getattr(thread, "_mp_process", None) or _Table.main


def parent_process() -> Any:
    """Return process object representing the parent process."""
    popen = current_process()._popen
    return None if popen is None else popen.parent


def _hears(caller: Any) -> bool:
    names = caller.f_globals
    return names.get("__name__") in _HEAR or \
        str(names.get("__file__")).startswith(_HOME)


def getpid() -> int:
    """Return the current process id."""
    here = current_process()
    if here._popen is not None and _hears(sys._getframe(1)):
        return here._popen.pid
    return _getpid()


def _exit_here(status: int) -> None:
    """Exit to the system with specified status, without normal exit
    processing."""
    popen = current_process()._popen
    if popen is None:
        _exit(status)
    popen.over(status)
    raise SystemExit


def _kill_here(pid: int, sig: int) -> None:
    """Kill a process with a signal."""
    popen = _Table.living.get(pid)
    if popen is None:
        _kill(pid, sig)
    elif sig:
        popen.stop(sig)


def _signal_here(signalnum: int, handler: Any) -> Any:
    """Set the action for the given signal."""
    if current_process()._popen is not None:
        return signal.SIG_DFL  # a thread has no handlers of its own
    return _set_signal(signalnum, handler)


def _start_here(self: threading.Thread) -> None:
    """Start the thread's activity, as part of the process that starts it."""
    here = current_process()
    if here._popen is not None and not hasattr(self, "_mp_process"):
        self._mp_process = here  # type: ignore[attr-defined]
    _start_thread(self)


def _sleep_here(seconds: float) -> None:
    """sleep(seconds)

    Delay execution for a given number of seconds."""
    popen = current_process()._popen
    if popen is None or not seconds > 0:
        return _sleep(seconds)
    popen.asleep = True  # stop() wakes it, and need not interrupt it
    popen.wait(seconds)
    popen.asleep = False
    if popen.returncode is not None:
        raise SystemExit


def _replace(rows: Any) -> dict[int, tuple[Any, Any]]:
    """Replace attributes of modules: (module, name, new value). Returns the
    old and the new by the old one's id."""
    found = {}
    for module, name, new in rows:
        old = getattr(module, name)
        new = stand_in(new, module, name)
        found[id(old)] = old, new
        setattr(module, name, new)
    return found


def _replace_here() -> dict[int, tuple[Any, Any]]:
    return _replace((
        (os, "getpid", getpid), (os, "_exit", _exit_here),
        (os, "kill", _kill_here), (signal, "signal", _signal_here),
        (time, "sleep", _sleep_here), (_Thread, "start", _start_here)))


_Table.begun.append(_replace_here)


def _install() -> None:
    """Replace the calls that tell processes apart, with the first process.
    The program may have imported their names already."""
    _Table.installed = True
    # Its exit hook ends daemons and waits for others.
    importlib.import_module("multiprocessing.util")
    replaced: dict[int, tuple[Any, Any]] = {}
    for begun in _Table.begun:
        replaced.update(begun())
    for name, module in list(_modules.items()):
        names = getattr(module, "__dict__", {})
        if name == "__main__" or str(names.get("__file__")).startswith(_HOME):
            for key, value in list(names.items()):
                if id(value) in replaced:
                    names[key] = replaced[id(value)][1]


class Popen:
    """A process that was started, as its Process object uses it."""
    method = "fork"
    sentinel: Any = None  # what Process.start() keeps

    def __init__(self, process: Any) -> None:
        if not _Table.installed:
            _install()
        self.returncode: Optional[int] = None
        self.asleep = False
        self.pid = _getpid() + next(_Table.numbers)
        self.parent = current_process()
        self.process = process
        self.call = {name: vars(process).get(name) for name in _CALL}
        self._ends: tuple[int, ...] = ()  # of the pipe that tells the end
        self._waiters: list[threading.Event] = []
        process._popen = self
        for forked in _Table.forked:
            forked(self.parent, process)
        self.thread = _Thread(target=self._run, name="MainThread",
                              daemon=True)
        self.thread._mp_process = process  # type: ignore[attr-defined]
        _Table.living[self.pid] = self
        try:
            self._launch()
        except BaseException:
            if self.thread.ident is None:  # else its parent was stopped here
                process._popen = None
                self.over(1)
            raise

    def _launch(self) -> None:
        """Start the thread. Without room for one more, wait for the end of
        another process first."""
        while True:
            try:
                return _start_thread(self.thread)
            except RuntimeError:
                waiter = _Event()
                _Table.waiters.append(waiter)
                if len(_Table.living) < 2 or not waiter.wait(WAIT_S):
                    raise RuntimeError(
                        "can't start one more process: "
                        f"{len(_Table.living) - 1} run, and each takes one "
                        "of the threads that a program may have here; use a "
                        "Pool") from None

    def _run(self) -> None:
        """The thread, from its start to the end of the process. Threads that
        it starts are no daemons, unless they are made so."""
        self.thread._daemonic = False  # type: ignore[attr-defined]
        code = 1
        try:
            code = self._result()
        finally:
            self.over(code)

    def _result(self) -> int:
        """Call run(). Returns the exit code, as Process._bootstrap() does."""
        try:
            apart(self.process.run)
            self._join_all()
            return 0
        except SystemExit as exc:  # also if it was stopped
            if exc.code is None or isinstance(exc.code, int):
                return exc.code or 0
            print(exc.code, file=sys.stderr)
        except BaseException as exc:
            if self.returncode is None:
                print(f"Process {self.process.name}:\n{format_error(exc)}",
                      file=sys.stderr)
        finally:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None and not stream.closed:
                    stream.flush()
        return 1

    def _join_all(self) -> None:
        """Wait for the threads and processes that this one has started."""
        for thread in threading.enumerate():
            if getattr(thread, "_mp_process", None) is self.process and \
                    thread is not self.thread and not thread.daemon:
                thread.join()
        for popen in list(_Table.living.values()):
            if popen.parent is self.process:
                if popen.process.daemon:
                    popen.terminate()
                popen.wait()

    def over(self, code: int) -> bool:
        """Make CODE the exit code, unless the process has one. Whatever it
        held is released."""
        with _lock:
            if self.returncode is not None:
                return False
            self.returncode = code
            self.call = {}
            _Table.living.pop(self.pid, None)
            if self._ends:
                os.close(self._ends[1])
            waiters = self._waiters + _Table.waiters
            self._waiters, _Table.waiters = [], []
        for waiter in waiters:
            waiter.set()
        for ended in _Table.ended:
            ended(self.process)
        return True

    def open_sentinel(self) -> int:
        """A descriptor that can be read when the process has ended. Few
        programs ask for it, and descriptors are few."""
        with _lock:
            if not self._ends:
                self._ends = os.pipe()
                if self.returncode is not None:
                    os.close(self._ends[1])
            return self._ends[0]

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        ends, self._ends = self._ends, ()
        if ends:
            os.close(ends[0])

    def duplicate_for_child(self, fd: int) -> int:
        return fd

    def poll(self, _flag: int = 0) -> Optional[int]:
        return self.returncode

    def wait(self, timeout: Optional[float] = None) -> Optional[int]:
        if self.returncode is None and (timeout is None or timeout > 0):
            waiter = _Event()
            with _lock:
                if self.returncode is not None:
                    return self.returncode
                self._waiters.append(waiter)
            waiter.wait(timeout)
        return self.returncode

    def stop(self, sig: int) -> None:
        """End the process with a signal, and its thread at its next step."""
        if self.over(-sig) and not self.asleep and self.thread.is_alive():
            _raise_there(ctypes.c_ulong(self.thread.ident),
                         ctypes.py_object(SystemExit))

    def terminate(self) -> None:
        self.stop(signal.SIGTERM)

    def kill(self) -> None:
        self.stop(signal.SIGKILL)


def forget_living() -> None:
    """In a copy of a guest, which has none of its other threads: the processes
    that they stood for are dead."""
    _lock._at_fork_reinit()  # type: ignore[attr-defined]
    for popen in list(_Table.living.values()):
        popen.process._parent_pid = _getpid()  # join() compares them
        popen.over(-signal.SIGKILL)


class _Kept:
    """What a Process is to call. start() deletes it from the object, in which
    the thread has not always found it by then."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, process: Any, cls: type) -> Any:
        call = getattr(getattr(process, "_popen", None), "call", {})
        if self.name in call:
            return call[self.name]
        raise AttributeError(
            f"{cls.__name__!r} object has no attribute {self.name!r}")


def _adopt_process(module: Any) -> None:
    _Table.main = module._current_process
    module.current_process = current_process
    module.parent_process = parent_process

    def sentinel(self: Any) -> int:
        """A file descriptor suitable for waiting for process termination."""
        self._check_closed()
        if self._popen is None:
            raise ValueError("process not started")
        return self._popen.open_sentinel()

    module.BaseProcess.sentinel = property(sentinel)
    for name in _CALL:
        setattr(module.BaseProcess, name, _Kept(name))


def _popen(process: Any) -> Popen:
    return Popen(process)


def _adopt_context(module: Any) -> None:
    for name in ("ForkProcess", "SpawnProcess", "ForkServerProcess"):
        getattr(module, name)._Popen = staticmethod(_popen)


def _few(workers: Any) -> Any:
    """The number of workers of a pool, POOL at most."""
    if workers is None:
        workers = os.cpu_count() or 1
    return min(workers, POOL) if type(workers) is int else workers


def _adopt_pool(module: Any) -> None:
    begin = module.Pool.__init__

    def __init__(self: Any, processes: Any = None, *args: Any,
                 **options: Any) -> None:
        begin(self, _few(processes), *args, **options)

    module.Pool.__init__ = __init__


def _adopt_executor(module: Any) -> None:
    begin = module.ProcessPoolExecutor.__init__

    def __init__(self: Any, max_workers: Any = None, *args: Any,
                 **options: Any) -> None:
        begin(self, _few(max_workers), *args, **options)

    module.ProcessPoolExecutor.__init__ = __init__


when_imported({
    "multiprocessing.process": _adopt_process,
    "multiprocessing.context": _adopt_context,
    "multiprocessing.pool": _adopt_pool,
    "concurrent.futures.process": _adopt_executor,
})
