"""One queue per provider for all threads of a process: spacing between requests, and pauses it asked for."""

import threading
import time
from collections.abc import Callable


class RateLimiter:
    """Hands out start times. `clock` gives seconds; times in the arguments are on that clock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._next_start: dict[str, float] = {}
        self._blocked_until: dict[str, float] = {}

    def reserve(self, provider: str, requests_per_minute: float | None = None) -> float:
        """Take the next free start and return how many seconds away it is.

        After waiting that long, ask `blocked`: another call may have been refused in the meantime.
        """
        spacing = 60.0 / requests_per_minute if requests_per_minute else 0.0
        with self._lock:
            now = self._clock()
            free = self._next_start.get(provider, now)
            start = max(now, free, self._blocked_until.get(provider, now))
            self._next_start[provider] = start + spacing
            return start - now

    def block(self, provider: str, seconds: float) -> None:
        """No request to `provider` for that long: it answered 429."""
        with self._lock:
            until = self._clock() + seconds
            self._blocked_until[provider] = max(until, self._blocked_until.get(provider, until))

    def blocked(self, provider: str) -> float:
        """Seconds until `provider` may be asked again."""
        with self._lock:
            now = self._clock()
            return max(0.0, self._blocked_until.get(provider, now) - now)


SHARED = RateLimiter()
