"""What a tool may know besides its arguments: the session clock and a seeded random stream."""

from __future__ import annotations

import datetime as dt
import random
from typing import ClassVar

from services_app.engine.store import Store


class CallContext:
    """Handed to every tool call. The same state and the same calls give the same answers, always."""

    __slots__ = ("_store",)

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def now(self) -> str:
        """The session clock as a UTC instant, `2026-03-02T09:00:00Z`. Failed calls and reads do not move it."""
        return self._store.now_text()

    @property
    def today(self) -> str:
        return self.now[:10]

    def in_days(self, days: int) -> str:
        """The date `days` after today."""
        return (self._store.now().date() + dt.timedelta(days=days)).isoformat()

    @property
    def random(self) -> random.Random:
        """A generator that depends on the seed and on how many writes came before."""
        return random.Random(f"{self._store.seed}:{self._store.writes}")  # noqa: S311 - simulated data


class SeedContext:
    """Handed to a service's seed function.

    `scale` is "small", "normal" or "large"; `size(n)` turns a count meant for "normal" into one for the scale.
    """

    SCALES: ClassVar[dict[str, float]] = {"small": 0.4, "normal": 1.0, "large": 4.0}

    def __init__(self, store: Store, *, seed: int, scale: str, service: str) -> None:
        self.seed = seed
        self.scale = scale
        self.random = random.Random(f"{seed}:{service}")  # noqa: S311 - simulated data
        self.now = store.now_text()
        self._moment = store.now()

    @property
    def today(self) -> str:
        return self.now[:10]

    def size(self, normal: int) -> int:
        return max(3, round(normal * self.SCALES[self.scale]))

    def date(self, days: int) -> str:
        """The date `days` after today (negative: before)."""
        return (self._moment.date() + dt.timedelta(days=days)).isoformat()

    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str:
        """An instant on the day `days` after today."""
        day = self._moment.date() + dt.timedelta(days=days)
        return f"{day.isoformat()}T{hour:02d}:{minute:02d}:00Z"
