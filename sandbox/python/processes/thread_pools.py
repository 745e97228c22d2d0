"""thread_pools - a ThreadPoolExecutor with more threads than a run may have.

Programs ask for 50 or 100 workers. When no further thread can be started, the
pool goes on with those that it has.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import adopt

from typing import Any


def _change(module: Any) -> None:
    pool = module.ThreadPoolExecutor
    start_one = pool._adjust_thread_count

    def _adjust_thread_count(self: Any) -> None:
        try:
            start_one(self)
        except RuntimeError:
            if not self._threads:
                raise

    pool._adjust_thread_count = _adjust_thread_count


adopt("concurrent.futures.thread", _change)
