"""nested_loops - nest_asyncio: a loop is run again while it runs.

asyncio refuses that, and notebooks, where a loop runs always, refuse
asyncio.run() for it. After nest_asyncio.apply() both work: the loop is stepped
on until the inner coroutine is done, while the task that asked for it waits.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import asyncio
import collections
from typing import Any, Optional

_Loop = asyncio.BaseEventLoop
_current, _future_of = asyncio.current_task, asyncio.ensure_future
_running, _new = asyncio.get_running_loop, asyncio.new_event_loop
_tasks: Any = asyncio.tasks  # its private names are looked up at their use
_run_alone = _Loop.run_until_complete
_policy_loop = asyncio.get_event_loop


class _Ready(collections.deque):  # type: ignore[type-arg]
    """What a loop has to do next.

    A turn of the loop takes as many as there were when it began. A turn within
    it has done some of them: for each a handle without work is given.
    """
    idle: Any = None

    def popleft(self) -> Any:
        return super().popleft() if self else self.idle


def _be_nested(loop: Any) -> None:
    if type(loop._ready) is not _Ready:
        ready = _Ready(loop._ready)
        ready.idle = asyncio.Handle(lambda: None, (), loop)
        ready.idle.cancel()
        loop._ready = ready


def _step_until(loop: Any, future: Any) -> None:
    """Run LOOP, which runs already, until FUTURE is done."""
    _be_nested(loop)
    task = _current(loop)
    if task is not None:
        _tasks._leave_task(loop, task)
    try:
        while not future.done() and not loop._stopping:
            loop._run_once()
    finally:
        if task is not None:
            _tasks._enter_task(loop, task)


def run_until_complete(self: Any, future: Any) -> Any:
    """Run until the Future is done, also within the loop itself."""
    if not self.is_running() or _running_loop() is not self:
        return _run_alone(self, future)
    future = _future_of(future, loop=self)
    _step_until(self, future)
    if not future.done():
        raise RuntimeError("Event loop stopped before Future completed.")
    return future.result()


def _running_loop() -> Optional[Any]:
    try:
        return _running()
    except RuntimeError:
        return None


def _loop() -> Any:
    """The loop that runs, or the thread's own, which is kept."""
    loop = _running_loop()
    if loop is None:
        try:
            loop = _policy_loop()
        except RuntimeError:  # none is set
            loop = None
        if loop is None or loop.is_closed():
            loop = _new()
            asyncio.set_event_loop(loop)
    return loop


def run(main: Any, *, debug: Optional[bool] = None,
        loop_factory: Any = None) -> Any:
    """Execute the coroutine and return the result."""
    loop = _loop()
    if debug is not None:
        loop.set_debug(debug)
    task = _future_of(main, loop=loop)
    try:
        return loop.run_until_complete(task)
    finally:
        if not task.done():
            task.cancel()


def apply(loop: Any = None) -> None:
    """Let loops be run again while they run."""
    _Loop.run_until_complete = run_until_complete  # type: ignore
    asyncio.run = asyncio.runners.run = run  # type: ignore[assignment]
    asyncio.get_event_loop = asyncio.events.get_event_loop = _loop
