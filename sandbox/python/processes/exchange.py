"""exchange - pipes, queues and managers between multiprocessing's stand-ins.

Processes inherit the ends of a pipe, and each closes its own. The threads that
stand in for them (processes.py) share one descriptor. So an end knows which of
them hold it, and is closed when the last one has closed it or has ended.

A queue is in memory, and a manager's server answers in the thread that calls.
Whatever is sent is pickled as between processes, so it arrives as a copy.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .errors import format_error
from .processes import _Table, current_process

import collections
import itertools
import queue
import threading
import weakref
from typing import Any, Optional

_Condition, _Event = threading.Condition, threading.Event
_Empty, _Full = queue.Empty, queue.Full
_deque = collections.deque
_ends: dict[int, Any] = {}  # of pipes: weak references, by id


# -- pipes


def _open_ends() -> list[Any]:
    ends = [reference() for reference in list(_ends.values())]
    return [end for end in ends if end is not None]


def _know(end: Any) -> None:
    key = id(end)
    end._holders = {current_process()}
    _ends[key] = weakref.ref(end, lambda _: _ends.pop(key, None))


def _inherit(parent: Any, child: Any) -> None:
    """CHILD begins with the ends that PARENT has."""
    for end in _open_ends():
        if parent in end._holders:
            end._holders.add(child)


def _release(process: Any) -> None:
    for end in _open_ends():
        _drop(end, process)


def _drop(end: Any, process: Any) -> None:
    """PROCESS closes an end. Of two threads one closes the descriptor."""
    end._holders.discard(process)
    if not end._holders and _ends.pop(id(end), None) is not None:
        end._close_last()


_Table.forked.append(_inherit)
_Table.ended.append(_release)


def _adopt_connection(module: Any) -> None:
    base = module._ConnectionBase
    begin, check = base.__init__, base._check_closed

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        _know(self)

    def close(self: Any) -> None:
        """Close the connection"""
        _drop(self, current_process())

    def _check_closed(self: Any) -> None:
        check(self)
        if current_process() not in self._holders:
            raise OSError("handle is closed")

    def closed(self: Any) -> bool:
        """True if the connection is closed"""
        return self._handle is None or \
            current_process() not in self._holders

    base._close_last = base.close
    base.__init__, base.close = __init__, close
    base._check_closed, base.closed = _check_closed, property(closed)


# -- queues


class _NoPipe:
    """The ends of a queue's pipe, for libraries that close them."""

    def close(self) -> None:
        pass


def _adopt_queues(module: Any) -> None:
    dumps, loads = module._ForkingPickler.dumps, module._ForkingPickler.loads
    told = module.Queue._on_queue_feeder_error

    class Queue(module.Queue):
        def __init__(self, maxsize: int = 0, *, ctx: Any) -> None:
            self._maxsize = maxsize if maxsize > 0 else (1 << 31) - 1
            self._items: Any = _deque()
            self._moved = _Condition()
            self._closed_by: set[Any] = set()
            self._ignore_epipe = False
            self._reader, self._writer = _NoPipe(), _NoPipe()

        def __getstate__(self) -> Any:
            module.context.assert_spawning(self)

        def _check_open(self) -> None:
            if current_process() in self._closed_by:
                raise ValueError(f"Queue {self!r} is closed")

        def put(self, obj: Any, block: bool = True,
                timeout: Optional[float] = None) -> None:
            self._check_open()
            try:
                data = dumps(obj)
            except Exception as exc:
                if type(self)._on_queue_feeder_error is told:
                    raise
                return self._on_queue_feeder_error(exc, obj)
            with self._moved:
                if not self._moved.wait_for(
                        lambda: len(self._items) < self._maxsize,
                        timeout if block else 0):
                    raise _Full
                self._items.append(data)
                self._moved.notify_all()

        def get(self, block: bool = True,
                timeout: Optional[float] = None) -> Any:
            self._check_open()
            with self._moved:
                if not self._moved.wait_for(lambda: self._items,
                                            timeout if block else 0):
                    raise _Empty
                data = self._items.popleft()
                self._moved.notify_all()
            return loads(data)

        def qsize(self) -> int:
            return len(self._items)

        def empty(self) -> bool:
            return not self._items

        def full(self) -> bool:
            return len(self._items) >= self._maxsize

        def close(self) -> None:
            self._closed_by.add(current_process())

        def join_thread(self) -> None:
            pass

        cancel_join_thread = _terminate_broken = join_thread

    for name in list(vars(Queue)):
        if name not in ("__module__", "__dict__", "__weakref__", "__doc__"):
            setattr(module.Queue, name, vars(Queue)[name])
    put = module.Queue.put

    def put_counted(self: Any, obj: Any, block: bool = True,
                    timeout: Optional[float] = None) -> None:
        self._unfinished_tasks.release()
        try:
            put(self, obj, block, timeout)
        except BaseException:
            self._unfinished_tasks.acquire(False)
            raise

    module.JoinableQueue.put = put_counted


# -- managers


class _Listeners:
    """Those of the managers' servers, by address."""
    known: dict[Any, "_Listener"] = {}
    numbers = itertools.count(1)


class _Listener:
    """Where a server listens: here, a name in a table."""

    def __init__(self, address: Any = None, *_: Any, **_options: Any) -> None:
        if address is None:
            address = f"manager-{next(_Listeners.numbers)}"
        self.address, self.server = address, None
        _Listeners.known[address] = self

    def accept(self) -> Any:
        _Event().wait()  # calls come by themselves

    def close(self) -> None:
        _Listeners.known.pop(self.address, None)


class _Line:
    """A client's connection: each request is answered where it is made."""

    def __init__(self, address: Any, *_: Any, **_options: Any) -> None:
        if address is None:
            raise ValueError("the manager is not started")
        if address not in _Listeners.known:
            raise FileNotFoundError(2, "No such file or directory")
        self._address = address
        self._reply: Any = None

    def send(self, request: Any) -> None:
        listener = _Listeners.known.get(self._address)
        if listener is None or listener.server is None:
            raise BrokenPipeError(32, "Broken pipe")
        self._reply = listener.server._answer(request)

    def recv(self) -> Any:
        reply, self._reply = self._reply, None
        return reply

    def close(self) -> None:
        pass

    def __enter__(self) -> "_Line":
        return self

    def __exit__(self, *_: Any) -> None:
        pass


class _Nothing:
    """The connection that a server's own functions are given."""

    def send(self, _reply: Any) -> None:
        pass


def _adopt_managers(module: Any) -> None:
    pickler = module.reduction.ForkingPickler
    begin = module.Server.__init__

    def copy(obj: Any) -> Any:
        return pickler.loads(pickler.dumps(obj))

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        self.listener.server = self
        self.stop_event = _Event()

    def call(self: Any, ident: str, name: str, args: Any,
             kwds: Any) -> tuple[str, Any]:
        """A method of a shared object."""
        obj, exposed, typeids = self.id_to_obj.get(ident) or \
            self.id_to_local_proxy_obj[ident]
        if name not in exposed:
            special = self.fallback_mapping.get(name)
            if special is None:
                raise AttributeError(
                    f"method {name!r} of {type(obj)!r} object is not in "
                    f"exposed={exposed!r}")
            return "#RETURN", special(self, None, ident, obj)
        try:
            result = getattr(obj, name)(*args, **kwds)
        except Exception as exc:
            return "#ERROR", exc
        typeid = typeids and typeids.get(name)
        if typeid:
            known, methods = self.create(_Nothing(), typeid, result)
            return "#PROXY", (methods, module.Token(typeid, self.address,
                                                    known))
        return "#RETURN", result

    def _answer(self: Any, request: Any) -> tuple[str, Any]:
        """The reply to a request, as serve_client() and handle_request()
        send it."""
        ident, name, args, kwds = copy(request)
        try:
            if ident is not None:
                return copy(call(self, ident, name, args, kwds))
            if name == "accept_connection":
                return "#RETURN", None
            function = getattr(self, name)
            return "#RETURN", copy(function(_Nothing(), *args, **kwds))
        except Exception as exc:
            return "#TRACEBACK", format_error(exc)

    def start(self: Any, initializer: Any = None, initargs: Any = ()) -> None:
        """Spawn a server process for this manager object"""
        if self._state.value != module.State.INITIAL:
            raise module.ProcessError(
                "Already started server" if self._state.value ==
                module.State.STARTED else "Manager has shut down")
        if initializer is not None:
            initializer(*initargs)
        server = self._Server(self._registry, self._address, self._authkey,
                              self._serializer)
        self._address, self._process = server.address, None
        self._state.value = module.State.STARTED
        self.shutdown = module.util.Finalize(
            self, shut_down, args=(server, self._state), exitpriority=0)

    def shut_down(server: Any, state: Any) -> None:
        server.shutdown(_Nothing())
        server.listener.close()
        state.value = module.State.SHUTDOWN
        module.BaseProxy._address_to_local.pop(server.address, None)

    module.listener_client = {name: (_Listener, _Line)
                              for name in module.listener_client}
    module.Server.__init__, module.Server._answer = __init__, _answer
    module.BaseManager.start = start


when_imported({
    "multiprocessing.connection": _adopt_connection,
    "multiprocessing.queues": _adopt_queues,
    "multiprocessing.managers": _adopt_managers,
})
