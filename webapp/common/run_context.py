"""What a handler holds while it works, and the thread that keeps the run's lease alive meanwhile."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from webapp.common import clean, run_store
from webapp.common.run_errors import Cancelled, LostLease
from webapp.common.run_models import CancelMode, Run, RunState

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.2
CANCEL_GRACE = timedelta(seconds=60)


class RunContext:
    """Handed to a handler. Call its methods outside `transaction.atomic`: they lock the run's row."""

    def __init__(self, run: Run, lease: timedelta) -> None:
        self.run = run
        self.lease = lease
        self._lost = threading.Event()
        self._written_at = float("-inf")

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = self.run.payload
        return payload

    @property
    def attempt(self) -> int:
        """1 on the first execution; above 1 earlier work may exist and must not be done again."""
        return self.run.attempt

    def progress(
        self,
        done: int | None = None,
        total: int | None = None,
        unit: str | None = None,
        phase: str | None = None,
    ) -> None:
        """Show how far the work is: written five times a second at most, the last step and a new phase always."""
        given = {"done": done, "total": total, "unit": unit, "phase": phase and clean.text(phase, 120)}
        fields = {name: value for name, value in given.items() if value is not None}
        changed = {name: value for name, value in fields.items() if getattr(self.run, name) != value}
        if not changed:
            return
        now = time.monotonic()
        is_last = done is not None and done == fields.get("total", self.run.total)
        if changed.keys() == {"done"} and not is_last and now - self._written_at < PROGRESS_SECONDS:
            return
        self._written_at = now
        run_store.write(self.run, **changed)

    def log(self, message: str, level: str = "info", **data: Any) -> None:
        """Append one line to the run's log. Raises LostLease when another worker took over."""
        if self._lost.is_set():
            raise LostLease(str(self.run.pk))
        run_store.add_event(self.run.pk, message, level, data)

    def cancel_requested(self) -> str:
        """'' | 'keep' | 'now', for handlers that stop a process of their own and return what it made."""
        return self._beat().cancel_mode

    def checkpoint(self) -> None:
        """Heartbeat. Raises Cancelled when the user asked to stop, LostLease when fenced out."""
        mode = self._beat().cancel_mode
        if mode:
            raise Cancelled(mode)

    def _beat(self) -> run_store.Beat:
        beat = None if self._lost.is_set() else run_store.beat(self.run.pk, self.run.fence, lease=self.lease)
        if beat is None:
            self._lost.set()
            raise LostLease(str(self.run.pk))
        return beat

    def mark_lost(self) -> None:
        self._lost.set()


class Heartbeat(threading.Thread):
    """Extends the lease while the handler works, whether or not it calls `checkpoint`.

    `hard_stop` ends the process of a handler that ignores "stop now" for longer than the grace period.
    """

    def __init__(self, context: RunContext, hard_stop: Callable[[], None] | None) -> None:
        super().__init__(name=f"heartbeat-{context.run.pk}", daemon=True)
        self.context = context
        self.hard_stop = hard_stop
        self.interval = min(10.0, context.lease.total_seconds() / 4)
        self._stopped = threading.Event()

    def run(self) -> None:
        try:
            while not self._stopped.wait(self.interval):
                try:
                    if not self._tick():
                        return
                except DatabaseError:
                    # The database may be restarting. A lease lasts four ticks: try again, newly connected.
                    logger.warning("Heartbeat of run %s failed", self.context.run.pk, exc_info=True)
                    connection.close()
        finally:
            connection.close()

    def _tick(self) -> bool:
        run = self.context.run
        beat = run_store.beat(run.pk, run.fence, lease=self.context.lease)
        if beat is None:
            self.context.mark_lost()
            return False
        overdue = (
            beat.cancel_mode == CancelMode.NOW
            and beat.cancel_asked_at is not None
            and beat.cancel_asked_at + CANCEL_GRACE < timezone.now()
        )
        if overdue and self.hard_stop is not None:
            run_store.add_event(run.pk, "The job did not stop in time; its process was ended.", "warning")
            run_store.finish(run, RunState.CANCELLED)
            self.hard_stop()
            return False
        return True

    def __enter__(self) -> "Heartbeat":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self.join(timeout=5)
