"""One event loop in one thread per process: a deadline can cut off a request only from the outside.

HTTP clients keep their connections per loop, so all calls share it; a forked worker gets its own.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


class _LoopThread:
    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model-calls", daemon=True).start()
            return self._loop


_LOOP_THREAD = _LoopThread()


def run(coroutine: Coroutine[object, object, Result]) -> Result:
    """Run `coroutine` on the shared loop and wait for its result in this thread."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _LOOP_THREAD.get())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _after_fork() -> None:
    _LOOP_THREAD.renew()
    litellm = sys.modules.get("litellm")
    if litellm is not None:
        # Connections that belong to the parent's loop would never answer here.
        litellm.in_memory_llm_clients_cache.flush_cache()


os.register_at_fork(after_in_child=_after_fork)
