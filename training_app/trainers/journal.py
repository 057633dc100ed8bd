"""What a trainer writes into its run directory while it works: metrics, events, heartbeat. Knows no torch."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from training_app.engine.metrics import LineWriter
from training_app.engine.rundir import RunDirectory


class Journal:
    """Writers of one attempt at a run. Only the main process writes."""

    def __init__(self, run: RunDirectory, *, main: bool = True) -> None:
        self.run = run
        self.main = main
        self._metrics = LineWriter(run.metrics, time.time)
        self._events = LineWriter(run.events, time.time)
        self.step = 0

    def metrics(self, kind: str, step: int, values: Mapping[str, Any]) -> None:
        """Numbers of a step."""
        if self.main:
            self._metrics.write(kind, step, values)

    def event(self, level: str, message: str, **data: Any) -> None:
        """Something happened: level info, warning or error."""
        if self.main:
            self._events.write(level, self.step, {"message": message, **data})

    def beat(self) -> None:
        """Sign of life."""
        if self.main:
            self.run.beat(step=self.step, at=time.time(), pid=os.getpid())
